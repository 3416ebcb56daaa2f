// Generated from the schemas of core/execution/ by tools/generate.ts; do not edit.
// @ts-nocheck: types stand at the exports alone.
/* oxlint-disable */
import type { ValidateFunction } from 'ajv'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import type { AgentConfig } from '../core/execution/agent-config.ts'
import type { AgentOutcome } from '../core/execution/result.ts'
import type { EarlierOutcome } from '../core/execution/result.ts'
import type { Prepared } from '../core/execution/prepared.ts'
import type { RunSpec } from '../core/execution/run-spec.ts'
export const isAgentConfig: ValidateFunction<AgentConfig> = validate10;
const schema11 = {"type":"object","required":["schemaVersion","mcpServers"],"properties":{"schemaVersion":{"type":"number","const":1},"instructions":{"type":"string"},"mcpServers":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string","pattern":"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"},"command":{"type":"string"},"args":{"type":"array","items":{"type":"string"}},"env":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"value":{"type":"string"},"from":{"type":"string"}}}},"url":{"type":"string"},"headers":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"value":{"type":"string"},"from":{"type":"string"}}}}}}}}};
const pattern0 = new RegExp("^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.schemaVersion === undefined) && (missing0 = "schemaVersion")) || ((data.mcpServers === undefined) && (missing0 = "mcpServers"))){
validate10.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "schemaVersion") || (key0 === "instructions")) || (key0 === "mcpServers"))){
delete data[key0];
}
}
if(_errs1 === errors){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
const _errs2 = errors;
if(!((typeof data0 == "number") && (isFinite(data0)))){
validate10.errors = [{instancePath:instancePath+"/schemaVersion",schemaPath:"#/properties/schemaVersion/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
if(1 !== data0){
validate10.errors = [{instancePath:instancePath+"/schemaVersion",schemaPath:"#/properties/schemaVersion/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.instructions !== undefined){
const _errs4 = errors;
if(typeof data.instructions !== "string"){
validate10.errors = [{instancePath:instancePath+"/instructions",schemaPath:"#/properties/instructions/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.mcpServers !== undefined){
let data2 = data.mcpServers;
const _errs6 = errors;
if(errors === _errs6){
if(Array.isArray(data2)){
var valid1 = true;
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
const _errs8 = errors;
if(errors === _errs8){
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
let missing1;
if((data3.name === undefined) && (missing1 = "name")){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0,schemaPath:"#/properties/mcpServers/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs10 = errors;
for(const key1 in data3){
if(!((((((key1 === "name") || (key1 === "command")) || (key1 === "args")) || (key1 === "env")) || (key1 === "url")) || (key1 === "headers"))){
delete data3[key1];
}
}
if(_errs10 === errors){
if(data3.name !== undefined){
let data4 = data3.name;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data4 === "string"){
if(!pattern0.test(data4)){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/name",schemaPath:"#/properties/mcpServers/items/properties/name/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"},message:"must match pattern \""+"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"+"\""}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/name",schemaPath:"#/properties/mcpServers/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs11 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.command !== undefined){
const _errs13 = errors;
if(typeof data3.command !== "string"){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/command",schemaPath:"#/properties/mcpServers/items/properties/command/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs13 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.args !== undefined){
let data6 = data3.args;
const _errs15 = errors;
if(errors === _errs15){
if(Array.isArray(data6)){
var valid3 = true;
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
const _errs17 = errors;
if(typeof data6[i1] !== "string"){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/args/" + i1,schemaPath:"#/properties/mcpServers/items/properties/args/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs17 === errors;
if(!valid3){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/args",schemaPath:"#/properties/mcpServers/items/properties/args/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid2 = _errs15 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.env !== undefined){
let data8 = data3.env;
const _errs19 = errors;
if(errors === _errs19){
if(Array.isArray(data8)){
var valid4 = true;
const len2 = data8.length;
for(let i2=0; i2<len2; i2++){
let data9 = data8[i2];
const _errs21 = errors;
if(errors === _errs21){
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
let missing2;
if((data9.name === undefined) && (missing2 = "name")){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/env/" + i2,schemaPath:"#/properties/mcpServers/items/properties/env/items/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
const _errs23 = errors;
for(const key2 in data9){
if(!(((key2 === "name") || (key2 === "value")) || (key2 === "from"))){
delete data9[key2];
}
}
if(_errs23 === errors){
if(data9.name !== undefined){
const _errs24 = errors;
if(typeof data9.name !== "string"){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/env/" + i2+"/name",schemaPath:"#/properties/mcpServers/items/properties/env/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid5 = _errs24 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data9.value !== undefined){
const _errs26 = errors;
if(typeof data9.value !== "string"){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/env/" + i2+"/value",schemaPath:"#/properties/mcpServers/items/properties/env/items/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid5 = _errs26 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data9.from !== undefined){
const _errs28 = errors;
if(typeof data9.from !== "string"){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/env/" + i2+"/from",schemaPath:"#/properties/mcpServers/items/properties/env/items/properties/from/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid5 = _errs28 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/env/" + i2,schemaPath:"#/properties/mcpServers/items/properties/env/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid4 = _errs21 === errors;
if(!valid4){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/env",schemaPath:"#/properties/mcpServers/items/properties/env/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid2 = _errs19 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.url !== undefined){
const _errs30 = errors;
if(typeof data3.url !== "string"){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/url",schemaPath:"#/properties/mcpServers/items/properties/url/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs30 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data3.headers !== undefined){
let data14 = data3.headers;
const _errs32 = errors;
if(errors === _errs32){
if(Array.isArray(data14)){
var valid6 = true;
const len3 = data14.length;
for(let i3=0; i3<len3; i3++){
let data15 = data14[i3];
const _errs34 = errors;
if(errors === _errs34){
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing3;
if((data15.name === undefined) && (missing3 = "name")){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/headers/" + i3,schemaPath:"#/properties/mcpServers/items/properties/headers/items/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
const _errs36 = errors;
for(const key3 in data15){
if(!(((key3 === "name") || (key3 === "value")) || (key3 === "from"))){
delete data15[key3];
}
}
if(_errs36 === errors){
if(data15.name !== undefined){
const _errs37 = errors;
if(typeof data15.name !== "string"){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/headers/" + i3+"/name",schemaPath:"#/properties/mcpServers/items/properties/headers/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid7 = _errs37 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data15.value !== undefined){
const _errs39 = errors;
if(typeof data15.value !== "string"){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/headers/" + i3+"/value",schemaPath:"#/properties/mcpServers/items/properties/headers/items/properties/value/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid7 = _errs39 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data15.from !== undefined){
const _errs41 = errors;
if(typeof data15.from !== "string"){
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/headers/" + i3+"/from",schemaPath:"#/properties/mcpServers/items/properties/headers/items/properties/from/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid7 = _errs41 === errors;
}
else {
var valid7 = true;
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/headers/" + i3,schemaPath:"#/properties/mcpServers/items/properties/headers/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid6 = _errs34 === errors;
if(!valid6){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0+"/headers",schemaPath:"#/properties/mcpServers/items/properties/headers/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid2 = _errs32 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/mcpServers/" + i0,schemaPath:"#/properties/mcpServers/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs8 === errors;
if(!valid1){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/mcpServers",schemaPath:"#/properties/mcpServers/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}

export const isAgentOutcome: ValidateFunction<AgentOutcome> = validate11;
const schema12 = {"type":"object","required":["schemaVersion","execution","jobNumber","outcome","startedAt","finishedAt"],"properties":{"schemaVersion":{"type":"number","const":1},"execution":{"type":"string"},"jobNumber":{"type":"integer","minimum":1},"outcome":{"enum":["succeeded","failed","timed_out","cancelled","blocked","budget_exceeded"]},"error":{"type":"object","required":["category","message"],"properties":{"category":{"enum":["quota","budget","rate_limit","timeout","git","auth","credentials","no_repository","cancelled","lost","unavailable","failed"]},"message":{"type":"string","maxLength":4096}}},"exitCode":{"type":"integer"},"startedAt":{"type":"string"},"finishedAt":{"type":"string"},"sessionId":{"type":"string","maxLength":200,"pattern":"^[A-Za-z0-9][A-Za-z0-9_.:-]*$"},"summary":{"type":"string","maxLength":16384},"questions":{"type":"array","items":{"type":"object","required":["text"],"properties":{"text":{"type":"string","maxLength":65536},"header":{"type":"string","maxLength":200},"options":{"type":"array","items":{"type":"string","maxLength":4096},"maxItems":50},"multiple":{"type":"boolean"}}},"maxItems":20},"costUSD":{"type":"number","minimum":0},"tokens":{"type":"object","required":["input","output","cacheRead","cacheWrite"],"properties":{"input":{"type":"integer","minimum":0},"output":{"type":"integer","minimum":0},"cacheRead":{"type":"integer","minimum":0},"cacheWrite":{"type":"integer","minimum":0}}},"turns":{"type":"integer","minimum":0},"failedServers":{"type":"array","items":{"type":"string","maxLength":200},"maxItems":50},"answer":{"enum":["Usable","Unusable"]},"resumeAfter":{"type":"string"},"uncommitted":{"type":"object","required":["category","message"],"properties":{"category":{"enum":["quota","budget","rate_limit","timeout","git","auth","credentials","no_repository","cancelled","lost","unavailable","failed"]},"message":{"type":"string","maxLength":4096}}},"undelivered":{"type":"array","items":{"type":"object","required":["path","reason"],"properties":{"path":{"type":"string","maxLength":512},"reason":{"type":"string","maxLength":512}}},"maxItems":50},"undeliveredCount":{"type":"integer","minimum":0}}};
const func2 = Object.prototype.hasOwnProperty;
const func3 = ucs2length.default;
const pattern1 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_.:-]*$", "u");

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.schemaVersion === undefined) && (missing0 = "schemaVersion")) || ((data.execution === undefined) && (missing0 = "execution"))) || ((data.jobNumber === undefined) && (missing0 = "jobNumber"))) || ((data.outcome === undefined) && (missing0 = "outcome"))) || ((data.startedAt === undefined) && (missing0 = "startedAt"))) || ((data.finishedAt === undefined) && (missing0 = "finishedAt"))){
validate11.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema12.properties, key0))){
delete data[key0];
}
}
if(_errs1 === errors){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
const _errs2 = errors;
if(!((typeof data0 == "number") && (isFinite(data0)))){
validate11.errors = [{instancePath:instancePath+"/schemaVersion",schemaPath:"#/properties/schemaVersion/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
if(1 !== data0){
validate11.errors = [{instancePath:instancePath+"/schemaVersion",schemaPath:"#/properties/schemaVersion/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.execution !== undefined){
const _errs4 = errors;
if(typeof data.execution !== "string"){
validate11.errors = [{instancePath:instancePath+"/execution",schemaPath:"#/properties/execution/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.jobNumber !== undefined){
let data2 = data.jobNumber;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate11.errors = [{instancePath:instancePath+"/jobNumber",schemaPath:"#/properties/jobNumber/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 1 || isNaN(data2)){
validate11.errors = [{instancePath:instancePath+"/jobNumber",schemaPath:"#/properties/jobNumber/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.outcome !== undefined){
let data3 = data.outcome;
const _errs8 = errors;
if(!((((((data3 === "succeeded") || (data3 === "failed")) || (data3 === "timed_out")) || (data3 === "cancelled")) || (data3 === "blocked")) || (data3 === "budget_exceeded"))){
validate11.errors = [{instancePath:instancePath+"/outcome",schemaPath:"#/properties/outcome/enum",keyword:"enum",params:{allowedValues: schema12.properties.outcome.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.error !== undefined){
let data4 = data.error;
const _errs9 = errors;
if(errors === _errs9){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing1;
if(((data4.category === undefined) && (missing1 = "category")) || ((data4.message === undefined) && (missing1 = "message"))){
validate11.errors = [{instancePath:instancePath+"/error",schemaPath:"#/properties/error/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs11 = errors;
for(const key1 in data4){
if(!((key1 === "category") || (key1 === "message"))){
delete data4[key1];
}
}
if(_errs11 === errors){
if(data4.category !== undefined){
let data5 = data4.category;
const _errs12 = errors;
if(!((((((((((((data5 === "quota") || (data5 === "budget")) || (data5 === "rate_limit")) || (data5 === "timeout")) || (data5 === "git")) || (data5 === "auth")) || (data5 === "credentials")) || (data5 === "no_repository")) || (data5 === "cancelled")) || (data5 === "lost")) || (data5 === "unavailable")) || (data5 === "failed"))){
validate11.errors = [{instancePath:instancePath+"/error/category",schemaPath:"#/properties/error/properties/category/enum",keyword:"enum",params:{allowedValues: schema12.properties.error.properties.category.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data4.message !== undefined){
let data6 = data4.message;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data6 === "string"){
if(func3(data6) > 4096){
validate11.errors = [{instancePath:instancePath+"/error/message",schemaPath:"#/properties/error/properties/message/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/error/message",schemaPath:"#/properties/error/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs13 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/error",schemaPath:"#/properties/error/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.exitCode !== undefined){
let data7 = data.exitCode;
const _errs15 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
validate11.errors = [{instancePath:instancePath+"/exitCode",schemaPath:"#/properties/exitCode/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.startedAt !== undefined){
const _errs17 = errors;
if(typeof data.startedAt !== "string"){
validate11.errors = [{instancePath:instancePath+"/startedAt",schemaPath:"#/properties/startedAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.finishedAt !== undefined){
const _errs19 = errors;
if(typeof data.finishedAt !== "string"){
validate11.errors = [{instancePath:instancePath+"/finishedAt",schemaPath:"#/properties/finishedAt/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs19 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sessionId !== undefined){
let data10 = data.sessionId;
const _errs21 = errors;
if(errors === _errs21){
if(typeof data10 === "string"){
if(func3(data10) > 200){
validate11.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(!pattern1.test(data10)){
validate11.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_.:-]*$"},message:"must match pattern \""+"^[A-Za-z0-9][A-Za-z0-9_.:-]*$"+"\""}];
return false;
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/sessionId",schemaPath:"#/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.summary !== undefined){
let data11 = data.summary;
const _errs23 = errors;
if(errors === _errs23){
if(typeof data11 === "string"){
if(func3(data11) > 16384){
validate11.errors = [{instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/maxLength",keyword:"maxLength",params:{limit: 16384},message:"must NOT have more than 16384 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/summary",schemaPath:"#/properties/summary/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs23 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.questions !== undefined){
let data12 = data.questions;
const _errs25 = errors;
if(errors === _errs25){
if(Array.isArray(data12)){
if(data12.length > 20){
validate11.errors = [{instancePath:instancePath+"/questions",schemaPath:"#/properties/questions/maxItems",keyword:"maxItems",params:{limit: 20},message:"must NOT have more than 20 items"}];
return false;
}
else {
var valid2 = true;
const len0 = data12.length;
for(let i0=0; i0<len0; i0++){
let data13 = data12[i0];
const _errs27 = errors;
if(errors === _errs27){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
let missing2;
if((data13.text === undefined) && (missing2 = "text")){
validate11.errors = [{instancePath:instancePath+"/questions/" + i0,schemaPath:"#/properties/questions/items/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
const _errs29 = errors;
for(const key2 in data13){
if(!((((key2 === "text") || (key2 === "header")) || (key2 === "options")) || (key2 === "multiple"))){
delete data13[key2];
}
}
if(_errs29 === errors){
if(data13.text !== undefined){
let data14 = data13.text;
const _errs30 = errors;
if(errors === _errs30){
if(typeof data14 === "string"){
if(func3(data14) > 65536){
validate11.errors = [{instancePath:instancePath+"/questions/" + i0+"/text",schemaPath:"#/properties/questions/items/properties/text/maxLength",keyword:"maxLength",params:{limit: 65536},message:"must NOT have more than 65536 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/questions/" + i0+"/text",schemaPath:"#/properties/questions/items/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs30 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.header !== undefined){
let data15 = data13.header;
const _errs32 = errors;
if(errors === _errs32){
if(typeof data15 === "string"){
if(func3(data15) > 200){
validate11.errors = [{instancePath:instancePath+"/questions/" + i0+"/header",schemaPath:"#/properties/questions/items/properties/header/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/questions/" + i0+"/header",schemaPath:"#/properties/questions/items/properties/header/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs32 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.options !== undefined){
let data16 = data13.options;
const _errs34 = errors;
if(errors === _errs34){
if(Array.isArray(data16)){
if(data16.length > 50){
validate11.errors = [{instancePath:instancePath+"/questions/" + i0+"/options",schemaPath:"#/properties/questions/items/properties/options/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
var valid4 = true;
const len1 = data16.length;
for(let i1=0; i1<len1; i1++){
let data17 = data16[i1];
const _errs36 = errors;
if(errors === _errs36){
if(typeof data17 === "string"){
if(func3(data17) > 4096){
validate11.errors = [{instancePath:instancePath+"/questions/" + i0+"/options/" + i1,schemaPath:"#/properties/questions/items/properties/options/items/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/questions/" + i0+"/options/" + i1,schemaPath:"#/properties/questions/items/properties/options/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs36 === errors;
if(!valid4){
break;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/questions/" + i0+"/options",schemaPath:"#/properties/questions/items/properties/options/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid3 = _errs34 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data13.multiple !== undefined){
const _errs38 = errors;
if(typeof data13.multiple !== "boolean"){
validate11.errors = [{instancePath:instancePath+"/questions/" + i0+"/multiple",schemaPath:"#/properties/questions/items/properties/multiple/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid3 = _errs38 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/questions/" + i0,schemaPath:"#/properties/questions/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs27 === errors;
if(!valid2){
break;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/questions",schemaPath:"#/properties/questions/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.costUSD !== undefined){
let data19 = data.costUSD;
const _errs40 = errors;
if(errors === _errs40){
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 < 0 || isNaN(data19)){
validate11.errors = [{instancePath:instancePath+"/costUSD",schemaPath:"#/properties/costUSD/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/costUSD",schemaPath:"#/properties/costUSD/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs40 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tokens !== undefined){
let data20 = data.tokens;
const _errs42 = errors;
if(errors === _errs42){
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
let missing3;
if(((((data20.input === undefined) && (missing3 = "input")) || ((data20.output === undefined) && (missing3 = "output"))) || ((data20.cacheRead === undefined) && (missing3 = "cacheRead"))) || ((data20.cacheWrite === undefined) && (missing3 = "cacheWrite"))){
validate11.errors = [{instancePath:instancePath+"/tokens",schemaPath:"#/properties/tokens/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
const _errs44 = errors;
for(const key3 in data20){
if(!((((key3 === "input") || (key3 === "output")) || (key3 === "cacheRead")) || (key3 === "cacheWrite"))){
delete data20[key3];
}
}
if(_errs44 === errors){
if(data20.input !== undefined){
let data21 = data20.input;
const _errs45 = errors;
if(!(((typeof data21 == "number") && (!(data21 % 1) && !isNaN(data21))) && (isFinite(data21)))){
validate11.errors = [{instancePath:instancePath+"/tokens/input",schemaPath:"#/properties/tokens/properties/input/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs45){
if((typeof data21 == "number") && (isFinite(data21))){
if(data21 < 0 || isNaN(data21)){
validate11.errors = [{instancePath:instancePath+"/tokens/input",schemaPath:"#/properties/tokens/properties/input/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid5 = _errs45 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data20.output !== undefined){
let data22 = data20.output;
const _errs47 = errors;
if(!(((typeof data22 == "number") && (!(data22 % 1) && !isNaN(data22))) && (isFinite(data22)))){
validate11.errors = [{instancePath:instancePath+"/tokens/output",schemaPath:"#/properties/tokens/properties/output/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs47){
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 < 0 || isNaN(data22)){
validate11.errors = [{instancePath:instancePath+"/tokens/output",schemaPath:"#/properties/tokens/properties/output/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid5 = _errs47 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data20.cacheRead !== undefined){
let data23 = data20.cacheRead;
const _errs49 = errors;
if(!(((typeof data23 == "number") && (!(data23 % 1) && !isNaN(data23))) && (isFinite(data23)))){
validate11.errors = [{instancePath:instancePath+"/tokens/cacheRead",schemaPath:"#/properties/tokens/properties/cacheRead/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs49){
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 < 0 || isNaN(data23)){
validate11.errors = [{instancePath:instancePath+"/tokens/cacheRead",schemaPath:"#/properties/tokens/properties/cacheRead/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid5 = _errs49 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data20.cacheWrite !== undefined){
let data24 = data20.cacheWrite;
const _errs51 = errors;
if(!(((typeof data24 == "number") && (!(data24 % 1) && !isNaN(data24))) && (isFinite(data24)))){
validate11.errors = [{instancePath:instancePath+"/tokens/cacheWrite",schemaPath:"#/properties/tokens/properties/cacheWrite/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs51){
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 < 0 || isNaN(data24)){
validate11.errors = [{instancePath:instancePath+"/tokens/cacheWrite",schemaPath:"#/properties/tokens/properties/cacheWrite/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid5 = _errs51 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/tokens",schemaPath:"#/properties/tokens/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs42 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.turns !== undefined){
let data25 = data.turns;
const _errs53 = errors;
if(!(((typeof data25 == "number") && (!(data25 % 1) && !isNaN(data25))) && (isFinite(data25)))){
validate11.errors = [{instancePath:instancePath+"/turns",schemaPath:"#/properties/turns/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs53){
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 < 0 || isNaN(data25)){
validate11.errors = [{instancePath:instancePath+"/turns",schemaPath:"#/properties/turns/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs53 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.failedServers !== undefined){
let data26 = data.failedServers;
const _errs55 = errors;
if(errors === _errs55){
if(Array.isArray(data26)){
if(data26.length > 50){
validate11.errors = [{instancePath:instancePath+"/failedServers",schemaPath:"#/properties/failedServers/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
var valid6 = true;
const len2 = data26.length;
for(let i2=0; i2<len2; i2++){
let data27 = data26[i2];
const _errs57 = errors;
if(errors === _errs57){
if(typeof data27 === "string"){
if(func3(data27) > 200){
validate11.errors = [{instancePath:instancePath+"/failedServers/" + i2,schemaPath:"#/properties/failedServers/items/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/failedServers/" + i2,schemaPath:"#/properties/failedServers/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs57 === errors;
if(!valid6){
break;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/failedServers",schemaPath:"#/properties/failedServers/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs55 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.answer !== undefined){
let data28 = data.answer;
const _errs59 = errors;
if(!((data28 === "Usable") || (data28 === "Unusable"))){
validate11.errors = [{instancePath:instancePath+"/answer",schemaPath:"#/properties/answer/enum",keyword:"enum",params:{allowedValues: schema12.properties.answer.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs59 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.resumeAfter !== undefined){
const _errs60 = errors;
if(typeof data.resumeAfter !== "string"){
validate11.errors = [{instancePath:instancePath+"/resumeAfter",schemaPath:"#/properties/resumeAfter/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs60 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.uncommitted !== undefined){
let data30 = data.uncommitted;
const _errs62 = errors;
if(errors === _errs62){
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
let missing4;
if(((data30.category === undefined) && (missing4 = "category")) || ((data30.message === undefined) && (missing4 = "message"))){
validate11.errors = [{instancePath:instancePath+"/uncommitted",schemaPath:"#/properties/uncommitted/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"}];
return false;
}
else {
const _errs64 = errors;
for(const key4 in data30){
if(!((key4 === "category") || (key4 === "message"))){
delete data30[key4];
}
}
if(_errs64 === errors){
if(data30.category !== undefined){
let data31 = data30.category;
const _errs65 = errors;
if(!((((((((((((data31 === "quota") || (data31 === "budget")) || (data31 === "rate_limit")) || (data31 === "timeout")) || (data31 === "git")) || (data31 === "auth")) || (data31 === "credentials")) || (data31 === "no_repository")) || (data31 === "cancelled")) || (data31 === "lost")) || (data31 === "unavailable")) || (data31 === "failed"))){
validate11.errors = [{instancePath:instancePath+"/uncommitted/category",schemaPath:"#/properties/uncommitted/properties/category/enum",keyword:"enum",params:{allowedValues: schema12.properties.uncommitted.properties.category.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid7 = _errs65 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data30.message !== undefined){
let data32 = data30.message;
const _errs66 = errors;
if(errors === _errs66){
if(typeof data32 === "string"){
if(func3(data32) > 4096){
validate11.errors = [{instancePath:instancePath+"/uncommitted/message",schemaPath:"#/properties/uncommitted/properties/message/maxLength",keyword:"maxLength",params:{limit: 4096},message:"must NOT have more than 4096 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/uncommitted/message",schemaPath:"#/properties/uncommitted/properties/message/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid7 = _errs66 === errors;
}
else {
var valid7 = true;
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/uncommitted",schemaPath:"#/properties/uncommitted/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs62 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.undelivered !== undefined){
let data33 = data.undelivered;
const _errs68 = errors;
if(errors === _errs68){
if(Array.isArray(data33)){
if(data33.length > 50){
validate11.errors = [{instancePath:instancePath+"/undelivered",schemaPath:"#/properties/undelivered/maxItems",keyword:"maxItems",params:{limit: 50},message:"must NOT have more than 50 items"}];
return false;
}
else {
var valid8 = true;
const len3 = data33.length;
for(let i3=0; i3<len3; i3++){
let data34 = data33[i3];
const _errs70 = errors;
if(errors === _errs70){
if(data34 && typeof data34 == "object" && !Array.isArray(data34)){
let missing5;
if(((data34.path === undefined) && (missing5 = "path")) || ((data34.reason === undefined) && (missing5 = "reason"))){
validate11.errors = [{instancePath:instancePath+"/undelivered/" + i3,schemaPath:"#/properties/undelivered/items/required",keyword:"required",params:{missingProperty: missing5},message:"must have required property '"+missing5+"'"}];
return false;
}
else {
const _errs72 = errors;
for(const key5 in data34){
if(!((key5 === "path") || (key5 === "reason"))){
delete data34[key5];
}
}
if(_errs72 === errors){
if(data34.path !== undefined){
let data35 = data34.path;
const _errs73 = errors;
if(errors === _errs73){
if(typeof data35 === "string"){
if(func3(data35) > 512){
validate11.errors = [{instancePath:instancePath+"/undelivered/" + i3+"/path",schemaPath:"#/properties/undelivered/items/properties/path/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/undelivered/" + i3+"/path",schemaPath:"#/properties/undelivered/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid9 = _errs73 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.reason !== undefined){
let data36 = data34.reason;
const _errs75 = errors;
if(errors === _errs75){
if(typeof data36 === "string"){
if(func3(data36) > 512){
validate11.errors = [{instancePath:instancePath+"/undelivered/" + i3+"/reason",schemaPath:"#/properties/undelivered/items/properties/reason/maxLength",keyword:"maxLength",params:{limit: 512},message:"must NOT have more than 512 characters"}];
return false;
}
}
else {
validate11.errors = [{instancePath:instancePath+"/undelivered/" + i3+"/reason",schemaPath:"#/properties/undelivered/items/properties/reason/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid9 = _errs75 === errors;
}
else {
var valid9 = true;
}
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/undelivered/" + i3,schemaPath:"#/properties/undelivered/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid8 = _errs70 === errors;
if(!valid8){
break;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/undelivered",schemaPath:"#/properties/undelivered/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs68 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.undeliveredCount !== undefined){
let data37 = data.undeliveredCount;
const _errs77 = errors;
if(!(((typeof data37 == "number") && (!(data37 % 1) && !isNaN(data37))) && (isFinite(data37)))){
validate11.errors = [{instancePath:instancePath+"/undeliveredCount",schemaPath:"#/properties/undeliveredCount/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs77){
if((typeof data37 == "number") && (isFinite(data37))){
if(data37 < 0 || isNaN(data37)){
validate11.errors = [{instancePath:instancePath+"/undeliveredCount",schemaPath:"#/properties/undeliveredCount/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid0 = _errs77 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate11.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate11.errors = vErrors;
return errors === 0;
}

export const isEarlierOutcome: ValidateFunction<EarlierOutcome> = validate12;
const schema13 = {"type":"object","required":["execution","jobNumber","outcome"],"properties":{"execution":{"type":"string"},"jobNumber":{"type":"integer","minimum":1},"outcome":{"enum":["succeeded","failed","timed_out","cancelled","blocked","budget_exceeded"]}}};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.execution === undefined) && (missing0 = "execution")) || ((data.jobNumber === undefined) && (missing0 = "jobNumber"))) || ((data.outcome === undefined) && (missing0 = "outcome"))){
validate12.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((key0 === "execution") || (key0 === "jobNumber")) || (key0 === "outcome"))){
delete data[key0];
}
}
if(_errs1 === errors){
if(data.execution !== undefined){
const _errs2 = errors;
if(typeof data.execution !== "string"){
validate12.errors = [{instancePath:instancePath+"/execution",schemaPath:"#/properties/execution/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.jobNumber !== undefined){
let data1 = data.jobNumber;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate12.errors = [{instancePath:instancePath+"/jobNumber",schemaPath:"#/properties/jobNumber/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 1 || isNaN(data1)){
validate12.errors = [{instancePath:instancePath+"/jobNumber",schemaPath:"#/properties/jobNumber/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.outcome !== undefined){
let data2 = data.outcome;
const _errs6 = errors;
if(!((((((data2 === "succeeded") || (data2 === "failed")) || (data2 === "timed_out")) || (data2 === "cancelled")) || (data2 === "blocked")) || (data2 === "budget_exceeded"))){
validate12.errors = [{instancePath:instancePath+"/outcome",schemaPath:"#/properties/outcome/enum",keyword:"enum",params:{allowedValues: schema13.properties.outcome.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate12.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate12.errors = vErrors;
return errors === 0;
}

export const isPrepared: ValidateFunction<Prepared> = validate13;
const schema14 = {"type":"object","required":["schemaVersion","baseCommit"],"properties":{"schemaVersion":{"type":"number","const":1},"baseCommit":{"type":"string","pattern":"^[0-9a-f]{40,64}$"},"isFromBranch":{"type":"boolean"},"tip":{"type":"string","pattern":"^[0-9a-f]{40,64}$"},"defaultBranch":{"type":"string"}}};
const pattern2 = new RegExp("^[0-9a-f]{40,64}$", "u");

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.schemaVersion === undefined) && (missing0 = "schemaVersion")) || ((data.baseCommit === undefined) && (missing0 = "baseCommit"))){
validate13.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "schemaVersion") || (key0 === "baseCommit")) || (key0 === "isFromBranch")) || (key0 === "tip")) || (key0 === "defaultBranch"))){
delete data[key0];
}
}
if(_errs1 === errors){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
const _errs2 = errors;
if(!((typeof data0 == "number") && (isFinite(data0)))){
validate13.errors = [{instancePath:instancePath+"/schemaVersion",schemaPath:"#/properties/schemaVersion/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
if(1 !== data0){
validate13.errors = [{instancePath:instancePath+"/schemaVersion",schemaPath:"#/properties/schemaVersion/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.baseCommit !== undefined){
let data1 = data.baseCommit;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(!pattern2.test(data1)){
validate13.errors = [{instancePath:instancePath+"/baseCommit",schemaPath:"#/properties/baseCommit/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{40,64}$"},message:"must match pattern \""+"^[0-9a-f]{40,64}$"+"\""}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/baseCommit",schemaPath:"#/properties/baseCommit/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isFromBranch !== undefined){
const _errs6 = errors;
if(typeof data.isFromBranch !== "boolean"){
validate13.errors = [{instancePath:instancePath+"/isFromBranch",schemaPath:"#/properties/isFromBranch/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tip !== undefined){
let data3 = data.tip;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data3 === "string"){
if(!pattern2.test(data3)){
validate13.errors = [{instancePath:instancePath+"/tip",schemaPath:"#/properties/tip/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{40,64}$"},message:"must match pattern \""+"^[0-9a-f]{40,64}$"+"\""}];
return false;
}
}
else {
validate13.errors = [{instancePath:instancePath+"/tip",schemaPath:"#/properties/tip/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.defaultBranch !== undefined){
const _errs10 = errors;
if(typeof data.defaultBranch !== "string"){
validate13.errors = [{instancePath:instancePath+"/defaultBranch",schemaPath:"#/properties/defaultBranch/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate13.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate13.errors = vErrors;
return errors === 0;
}

export const isRunSpec: ValidateFunction<RunSpec> = validate14;
const schema15 = {"type":"object","required":["schemaVersion","task","execution","jobNumber","volumeRoot","title","repositoryUrl","branch","keepClone","deliverOnly","agent","timeoutSeconds","maxLogBytes"],"properties":{"schemaVersion":{"type":"number","const":1},"task":{"type":"string","pattern":"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"},"sandbox":{"type":"string","pattern":"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"},"execution":{"type":"string","pattern":"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"},"jobNumber":{"type":"integer","minimum":1},"volumeRoot":{"type":"string"},"title":{"type":"string"},"repositoryUrl":{"type":"string"},"baseBranch":{"type":"string"},"branch":{"type":"string"},"isShared":{"type":"boolean"},"baseCommit":{"type":"string"},"pushes":{"type":"array","items":{"type":"object","required":["head"],"properties":{"found":{"type":"string","pattern":"^[0-9a-f]{40,64}$"},"base":{"type":"string","pattern":"^[0-9a-f]{40,64}$"},"head":{"type":"string","pattern":"^[0-9a-f]{40,64}$"}}}},"maxPushBytes":{"type":"integer","minimum":1},"keepClone":{"type":"boolean"},"deliverOnly":{"type":"boolean"},"agent":{"type":"object","required":["name","adapter"],"properties":{"name":{"type":"string"},"adapter":{"type":"string"},"model":{"type":"string"},"command":{"type":"array","items":{"type":"string"}},"allowedTools":{"type":"array","items":{"type":"string"}},"prices":{"type":"object","required":["inputPerMillion","outputPerMillion"],"properties":{"inputPerMillion":{"type":"number","minimum":0},"outputPerMillion":{"type":"number","minimum":0},"cachedInputPerMillion":{"type":"number","minimum":0}}},"sessionId":{"type":"string"}}},"budgetUSD":{"type":"number","exclusiveMinimum":0},"credentialFiles":{"type":"array","items":{"type":"object","required":["from","path"],"properties":{"from":{"type":"string"},"path":{"type":"string"}}}},"timeoutSeconds":{"type":"number","exclusiveMinimum":0},"answer":{"type":"string"},"hasAnswerFile":{"type":"boolean"},"maxLogBytes":{"type":"integer","minimum":1},"gitCredentialsDir":{"type":"string"},"gitHost":{"type":"string"},"gitCaBundle":{"type":"string"},"gitHome":{"type":"string"},"gitIdentity":{"type":"object","required":["name","email"],"properties":{"name":{"type":"string"},"email":{"type":"string"}}},"answerSchema":{"enum":["TaskDraft","StoryPlan","Validation","Classification","Evaluation"]},"delivery":{"type":"object","required":["kind","branch"],"properties":{"kind":{"enum":["CreateBranch","Merge","PullRequest"]},"branch":{"type":"string"},"commit":{"type":"string","pattern":"^[0-9a-f]{40,64}$"},"base":{"type":"string"},"title":{"type":"string"},"text":{"type":"string"},"host":{"type":"object","properties":{"type":{"enum":["GitHub","GitLab","Gitea"]},"apiUrl":{"type":"string"}}}}},"passEnv":{"type":"array","items":{"type":"string"}}}};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((((((((((((data.schemaVersion === undefined) && (missing0 = "schemaVersion")) || ((data.task === undefined) && (missing0 = "task"))) || ((data.execution === undefined) && (missing0 = "execution"))) || ((data.jobNumber === undefined) && (missing0 = "jobNumber"))) || ((data.volumeRoot === undefined) && (missing0 = "volumeRoot"))) || ((data.title === undefined) && (missing0 = "title"))) || ((data.repositoryUrl === undefined) && (missing0 = "repositoryUrl"))) || ((data.branch === undefined) && (missing0 = "branch"))) || ((data.keepClone === undefined) && (missing0 = "keepClone"))) || ((data.deliverOnly === undefined) && (missing0 = "deliverOnly"))) || ((data.agent === undefined) && (missing0 = "agent"))) || ((data.timeoutSeconds === undefined) && (missing0 = "timeoutSeconds"))) || ((data.maxLogBytes === undefined) && (missing0 = "maxLogBytes"))){
validate14.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema15.properties, key0))){
delete data[key0];
}
}
if(_errs1 === errors){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
const _errs2 = errors;
if(!((typeof data0 == "number") && (isFinite(data0)))){
validate14.errors = [{instancePath:instancePath+"/schemaVersion",schemaPath:"#/properties/schemaVersion/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
if(1 !== data0){
validate14.errors = [{instancePath:instancePath+"/schemaVersion",schemaPath:"#/properties/schemaVersion/const",keyword:"const",params:{allowedValue: 1},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.task !== undefined){
let data1 = data.task;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
validate14.errors = [{instancePath:instancePath+"/task",schemaPath:"#/properties/task/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"},message:"must match pattern \""+"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"+"\""}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/task",schemaPath:"#/properties/task/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.sandbox !== undefined){
let data2 = data.sandbox;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(!pattern0.test(data2)){
validate14.errors = [{instancePath:instancePath+"/sandbox",schemaPath:"#/properties/sandbox/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"},message:"must match pattern \""+"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"+"\""}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/sandbox",schemaPath:"#/properties/sandbox/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.execution !== undefined){
let data3 = data.execution;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data3 === "string"){
if(!pattern0.test(data3)){
validate14.errors = [{instancePath:instancePath+"/execution",schemaPath:"#/properties/execution/pattern",keyword:"pattern",params:{pattern: "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"},message:"must match pattern \""+"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"+"\""}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/execution",schemaPath:"#/properties/execution/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.jobNumber !== undefined){
let data4 = data.jobNumber;
const _errs10 = errors;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
validate14.errors = [{instancePath:instancePath+"/jobNumber",schemaPath:"#/properties/jobNumber/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs10){
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 < 1 || isNaN(data4)){
validate14.errors = [{instancePath:instancePath+"/jobNumber",schemaPath:"#/properties/jobNumber/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.volumeRoot !== undefined){
const _errs12 = errors;
if(typeof data.volumeRoot !== "string"){
validate14.errors = [{instancePath:instancePath+"/volumeRoot",schemaPath:"#/properties/volumeRoot/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.title !== undefined){
const _errs14 = errors;
if(typeof data.title !== "string"){
validate14.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.repositoryUrl !== undefined){
const _errs16 = errors;
if(typeof data.repositoryUrl !== "string"){
validate14.errors = [{instancePath:instancePath+"/repositoryUrl",schemaPath:"#/properties/repositoryUrl/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.baseBranch !== undefined){
const _errs18 = errors;
if(typeof data.baseBranch !== "string"){
validate14.errors = [{instancePath:instancePath+"/baseBranch",schemaPath:"#/properties/baseBranch/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.branch !== undefined){
const _errs20 = errors;
if(typeof data.branch !== "string"){
validate14.errors = [{instancePath:instancePath+"/branch",schemaPath:"#/properties/branch/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.isShared !== undefined){
const _errs22 = errors;
if(typeof data.isShared !== "boolean"){
validate14.errors = [{instancePath:instancePath+"/isShared",schemaPath:"#/properties/isShared/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.baseCommit !== undefined){
const _errs24 = errors;
if(typeof data.baseCommit !== "string"){
validate14.errors = [{instancePath:instancePath+"/baseCommit",schemaPath:"#/properties/baseCommit/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pushes !== undefined){
let data12 = data.pushes;
const _errs26 = errors;
if(errors === _errs26){
if(Array.isArray(data12)){
var valid1 = true;
const len0 = data12.length;
for(let i0=0; i0<len0; i0++){
let data13 = data12[i0];
const _errs28 = errors;
if(errors === _errs28){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
let missing1;
if((data13.head === undefined) && (missing1 = "head")){
validate14.errors = [{instancePath:instancePath+"/pushes/" + i0,schemaPath:"#/properties/pushes/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs30 = errors;
for(const key1 in data13){
if(!(((key1 === "found") || (key1 === "base")) || (key1 === "head"))){
delete data13[key1];
}
}
if(_errs30 === errors){
if(data13.found !== undefined){
let data14 = data13.found;
const _errs31 = errors;
if(errors === _errs31){
if(typeof data14 === "string"){
if(!pattern2.test(data14)){
validate14.errors = [{instancePath:instancePath+"/pushes/" + i0+"/found",schemaPath:"#/properties/pushes/items/properties/found/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{40,64}$"},message:"must match pattern \""+"^[0-9a-f]{40,64}$"+"\""}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/pushes/" + i0+"/found",schemaPath:"#/properties/pushes/items/properties/found/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs31 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data13.base !== undefined){
let data15 = data13.base;
const _errs33 = errors;
if(errors === _errs33){
if(typeof data15 === "string"){
if(!pattern2.test(data15)){
validate14.errors = [{instancePath:instancePath+"/pushes/" + i0+"/base",schemaPath:"#/properties/pushes/items/properties/base/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{40,64}$"},message:"must match pattern \""+"^[0-9a-f]{40,64}$"+"\""}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/pushes/" + i0+"/base",schemaPath:"#/properties/pushes/items/properties/base/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs33 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data13.head !== undefined){
let data16 = data13.head;
const _errs35 = errors;
if(errors === _errs35){
if(typeof data16 === "string"){
if(!pattern2.test(data16)){
validate14.errors = [{instancePath:instancePath+"/pushes/" + i0+"/head",schemaPath:"#/properties/pushes/items/properties/head/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{40,64}$"},message:"must match pattern \""+"^[0-9a-f]{40,64}$"+"\""}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/pushes/" + i0+"/head",schemaPath:"#/properties/pushes/items/properties/head/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs35 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/pushes/" + i0,schemaPath:"#/properties/pushes/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs28 === errors;
if(!valid1){
break;
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/pushes",schemaPath:"#/properties/pushes/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs26 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxPushBytes !== undefined){
let data17 = data.maxPushBytes;
const _errs37 = errors;
if(!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))){
validate14.errors = [{instancePath:instancePath+"/maxPushBytes",schemaPath:"#/properties/maxPushBytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs37){
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 < 1 || isNaN(data17)){
validate14.errors = [{instancePath:instancePath+"/maxPushBytes",schemaPath:"#/properties/maxPushBytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs37 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.keepClone !== undefined){
const _errs39 = errors;
if(typeof data.keepClone !== "boolean"){
validate14.errors = [{instancePath:instancePath+"/keepClone",schemaPath:"#/properties/keepClone/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs39 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.deliverOnly !== undefined){
const _errs41 = errors;
if(typeof data.deliverOnly !== "boolean"){
validate14.errors = [{instancePath:instancePath+"/deliverOnly",schemaPath:"#/properties/deliverOnly/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs41 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.agent !== undefined){
let data20 = data.agent;
const _errs43 = errors;
if(errors === _errs43){
if(data20 && typeof data20 == "object" && !Array.isArray(data20)){
let missing2;
if(((data20.name === undefined) && (missing2 = "name")) || ((data20.adapter === undefined) && (missing2 = "adapter"))){
validate14.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
const _errs45 = errors;
for(const key2 in data20){
if(!(((((((key2 === "name") || (key2 === "adapter")) || (key2 === "model")) || (key2 === "command")) || (key2 === "allowedTools")) || (key2 === "prices")) || (key2 === "sessionId"))){
delete data20[key2];
}
}
if(_errs45 === errors){
if(data20.name !== undefined){
const _errs46 = errors;
if(typeof data20.name !== "string"){
validate14.errors = [{instancePath:instancePath+"/agent/name",schemaPath:"#/properties/agent/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs46 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data20.adapter !== undefined){
const _errs48 = errors;
if(typeof data20.adapter !== "string"){
validate14.errors = [{instancePath:instancePath+"/agent/adapter",schemaPath:"#/properties/agent/properties/adapter/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs48 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data20.model !== undefined){
const _errs50 = errors;
if(typeof data20.model !== "string"){
validate14.errors = [{instancePath:instancePath+"/agent/model",schemaPath:"#/properties/agent/properties/model/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs50 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data20.command !== undefined){
let data24 = data20.command;
const _errs52 = errors;
if(errors === _errs52){
if(Array.isArray(data24)){
var valid4 = true;
const len1 = data24.length;
for(let i1=0; i1<len1; i1++){
const _errs54 = errors;
if(typeof data24[i1] !== "string"){
validate14.errors = [{instancePath:instancePath+"/agent/command/" + i1,schemaPath:"#/properties/agent/properties/command/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid4 = _errs54 === errors;
if(!valid4){
break;
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/agent/command",schemaPath:"#/properties/agent/properties/command/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid3 = _errs52 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data20.allowedTools !== undefined){
let data26 = data20.allowedTools;
const _errs56 = errors;
if(errors === _errs56){
if(Array.isArray(data26)){
var valid5 = true;
const len2 = data26.length;
for(let i2=0; i2<len2; i2++){
const _errs58 = errors;
if(typeof data26[i2] !== "string"){
validate14.errors = [{instancePath:instancePath+"/agent/allowedTools/" + i2,schemaPath:"#/properties/agent/properties/allowedTools/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid5 = _errs58 === errors;
if(!valid5){
break;
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/agent/allowedTools",schemaPath:"#/properties/agent/properties/allowedTools/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid3 = _errs56 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data20.prices !== undefined){
let data28 = data20.prices;
const _errs60 = errors;
if(errors === _errs60){
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
let missing3;
if(((data28.inputPerMillion === undefined) && (missing3 = "inputPerMillion")) || ((data28.outputPerMillion === undefined) && (missing3 = "outputPerMillion"))){
validate14.errors = [{instancePath:instancePath+"/agent/prices",schemaPath:"#/properties/agent/properties/prices/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
const _errs62 = errors;
for(const key3 in data28){
if(!(((key3 === "inputPerMillion") || (key3 === "outputPerMillion")) || (key3 === "cachedInputPerMillion"))){
delete data28[key3];
}
}
if(_errs62 === errors){
if(data28.inputPerMillion !== undefined){
let data29 = data28.inputPerMillion;
const _errs63 = errors;
if(errors === _errs63){
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 < 0 || isNaN(data29)){
validate14.errors = [{instancePath:instancePath+"/agent/prices/inputPerMillion",schemaPath:"#/properties/agent/properties/prices/properties/inputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/agent/prices/inputPerMillion",schemaPath:"#/properties/agent/properties/prices/properties/inputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid6 = _errs63 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data28.outputPerMillion !== undefined){
let data30 = data28.outputPerMillion;
const _errs65 = errors;
if(errors === _errs65){
if((typeof data30 == "number") && (isFinite(data30))){
if(data30 < 0 || isNaN(data30)){
validate14.errors = [{instancePath:instancePath+"/agent/prices/outputPerMillion",schemaPath:"#/properties/agent/properties/prices/properties/outputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/agent/prices/outputPerMillion",schemaPath:"#/properties/agent/properties/prices/properties/outputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid6 = _errs65 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data28.cachedInputPerMillion !== undefined){
let data31 = data28.cachedInputPerMillion;
const _errs67 = errors;
if(errors === _errs67){
if((typeof data31 == "number") && (isFinite(data31))){
if(data31 < 0 || isNaN(data31)){
validate14.errors = [{instancePath:instancePath+"/agent/prices/cachedInputPerMillion",schemaPath:"#/properties/agent/properties/prices/properties/cachedInputPerMillion/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/agent/prices/cachedInputPerMillion",schemaPath:"#/properties/agent/properties/prices/properties/cachedInputPerMillion/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid6 = _errs67 === errors;
}
else {
var valid6 = true;
}
}
}
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/agent/prices",schemaPath:"#/properties/agent/properties/prices/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid3 = _errs60 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data20.sessionId !== undefined){
const _errs69 = errors;
if(typeof data20.sessionId !== "string"){
validate14.errors = [{instancePath:instancePath+"/agent/sessionId",schemaPath:"#/properties/agent/properties/sessionId/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid3 = _errs69 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/agent",schemaPath:"#/properties/agent/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs43 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.budgetUSD !== undefined){
let data33 = data.budgetUSD;
const _errs71 = errors;
if(errors === _errs71){
if((typeof data33 == "number") && (isFinite(data33))){
if(data33 <= 0 || isNaN(data33)){
validate14.errors = [{instancePath:instancePath+"/budgetUSD",schemaPath:"#/properties/budgetUSD/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0"}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/budgetUSD",schemaPath:"#/properties/budgetUSD/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs71 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.credentialFiles !== undefined){
let data34 = data.credentialFiles;
const _errs73 = errors;
if(errors === _errs73){
if(Array.isArray(data34)){
var valid7 = true;
const len3 = data34.length;
for(let i3=0; i3<len3; i3++){
let data35 = data34[i3];
const _errs75 = errors;
if(errors === _errs75){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
let missing4;
if(((data35.from === undefined) && (missing4 = "from")) || ((data35.path === undefined) && (missing4 = "path"))){
validate14.errors = [{instancePath:instancePath+"/credentialFiles/" + i3,schemaPath:"#/properties/credentialFiles/items/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"}];
return false;
}
else {
const _errs77 = errors;
for(const key4 in data35){
if(!((key4 === "from") || (key4 === "path"))){
delete data35[key4];
}
}
if(_errs77 === errors){
if(data35.from !== undefined){
const _errs78 = errors;
if(typeof data35.from !== "string"){
validate14.errors = [{instancePath:instancePath+"/credentialFiles/" + i3+"/from",schemaPath:"#/properties/credentialFiles/items/properties/from/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid8 = _errs78 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data35.path !== undefined){
const _errs80 = errors;
if(typeof data35.path !== "string"){
validate14.errors = [{instancePath:instancePath+"/credentialFiles/" + i3+"/path",schemaPath:"#/properties/credentialFiles/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid8 = _errs80 === errors;
}
else {
var valid8 = true;
}
}
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/credentialFiles/" + i3,schemaPath:"#/properties/credentialFiles/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid7 = _errs75 === errors;
if(!valid7){
break;
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/credentialFiles",schemaPath:"#/properties/credentialFiles/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs73 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.timeoutSeconds !== undefined){
let data38 = data.timeoutSeconds;
const _errs82 = errors;
if(errors === _errs82){
if((typeof data38 == "number") && (isFinite(data38))){
if(data38 <= 0 || isNaN(data38)){
validate14.errors = [{instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0},message:"must be > 0"}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/timeoutSeconds",schemaPath:"#/properties/timeoutSeconds/type",keyword:"type",params:{type: "number"},message:"must be number"}];
return false;
}
}
var valid0 = _errs82 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.answer !== undefined){
const _errs84 = errors;
if(typeof data.answer !== "string"){
validate14.errors = [{instancePath:instancePath+"/answer",schemaPath:"#/properties/answer/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs84 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hasAnswerFile !== undefined){
const _errs86 = errors;
if(typeof data.hasAnswerFile !== "boolean"){
validate14.errors = [{instancePath:instancePath+"/hasAnswerFile",schemaPath:"#/properties/hasAnswerFile/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid0 = _errs86 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxLogBytes !== undefined){
let data41 = data.maxLogBytes;
const _errs88 = errors;
if(!(((typeof data41 == "number") && (!(data41 % 1) && !isNaN(data41))) && (isFinite(data41)))){
validate14.errors = [{instancePath:instancePath+"/maxLogBytes",schemaPath:"#/properties/maxLogBytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs88){
if((typeof data41 == "number") && (isFinite(data41))){
if(data41 < 1 || isNaN(data41)){
validate14.errors = [{instancePath:instancePath+"/maxLogBytes",schemaPath:"#/properties/maxLogBytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1},message:"must be >= 1"}];
return false;
}
}
}
var valid0 = _errs88 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gitCredentialsDir !== undefined){
const _errs90 = errors;
if(typeof data.gitCredentialsDir !== "string"){
validate14.errors = [{instancePath:instancePath+"/gitCredentialsDir",schemaPath:"#/properties/gitCredentialsDir/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs90 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gitHost !== undefined){
const _errs92 = errors;
if(typeof data.gitHost !== "string"){
validate14.errors = [{instancePath:instancePath+"/gitHost",schemaPath:"#/properties/gitHost/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs92 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gitCaBundle !== undefined){
const _errs94 = errors;
if(typeof data.gitCaBundle !== "string"){
validate14.errors = [{instancePath:instancePath+"/gitCaBundle",schemaPath:"#/properties/gitCaBundle/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs94 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gitHome !== undefined){
const _errs96 = errors;
if(typeof data.gitHome !== "string"){
validate14.errors = [{instancePath:instancePath+"/gitHome",schemaPath:"#/properties/gitHome/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs96 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gitIdentity !== undefined){
let data46 = data.gitIdentity;
const _errs98 = errors;
if(errors === _errs98){
if(data46 && typeof data46 == "object" && !Array.isArray(data46)){
let missing5;
if(((data46.name === undefined) && (missing5 = "name")) || ((data46.email === undefined) && (missing5 = "email"))){
validate14.errors = [{instancePath:instancePath+"/gitIdentity",schemaPath:"#/properties/gitIdentity/required",keyword:"required",params:{missingProperty: missing5},message:"must have required property '"+missing5+"'"}];
return false;
}
else {
const _errs100 = errors;
for(const key5 in data46){
if(!((key5 === "name") || (key5 === "email"))){
delete data46[key5];
}
}
if(_errs100 === errors){
if(data46.name !== undefined){
const _errs101 = errors;
if(typeof data46.name !== "string"){
validate14.errors = [{instancePath:instancePath+"/gitIdentity/name",schemaPath:"#/properties/gitIdentity/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid9 = _errs101 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data46.email !== undefined){
const _errs103 = errors;
if(typeof data46.email !== "string"){
validate14.errors = [{instancePath:instancePath+"/gitIdentity/email",schemaPath:"#/properties/gitIdentity/properties/email/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid9 = _errs103 === errors;
}
else {
var valid9 = true;
}
}
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/gitIdentity",schemaPath:"#/properties/gitIdentity/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs98 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.answerSchema !== undefined){
let data49 = data.answerSchema;
const _errs105 = errors;
if(!(((((data49 === "TaskDraft") || (data49 === "StoryPlan")) || (data49 === "Validation")) || (data49 === "Classification")) || (data49 === "Evaluation"))){
validate14.errors = [{instancePath:instancePath+"/answerSchema",schemaPath:"#/properties/answerSchema/enum",keyword:"enum",params:{allowedValues: schema15.properties.answerSchema.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs105 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.delivery !== undefined){
let data50 = data.delivery;
const _errs106 = errors;
if(errors === _errs106){
if(data50 && typeof data50 == "object" && !Array.isArray(data50)){
let missing6;
if(((data50.kind === undefined) && (missing6 = "kind")) || ((data50.branch === undefined) && (missing6 = "branch"))){
validate14.errors = [{instancePath:instancePath+"/delivery",schemaPath:"#/properties/delivery/required",keyword:"required",params:{missingProperty: missing6},message:"must have required property '"+missing6+"'"}];
return false;
}
else {
const _errs108 = errors;
for(const key6 in data50){
if(!(((((((key6 === "kind") || (key6 === "branch")) || (key6 === "commit")) || (key6 === "base")) || (key6 === "title")) || (key6 === "text")) || (key6 === "host"))){
delete data50[key6];
}
}
if(_errs108 === errors){
if(data50.kind !== undefined){
let data51 = data50.kind;
const _errs109 = errors;
if(!(((data51 === "CreateBranch") || (data51 === "Merge")) || (data51 === "PullRequest"))){
validate14.errors = [{instancePath:instancePath+"/delivery/kind",schemaPath:"#/properties/delivery/properties/kind/enum",keyword:"enum",params:{allowedValues: schema15.properties.delivery.properties.kind.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid10 = _errs109 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data50.branch !== undefined){
const _errs110 = errors;
if(typeof data50.branch !== "string"){
validate14.errors = [{instancePath:instancePath+"/delivery/branch",schemaPath:"#/properties/delivery/properties/branch/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid10 = _errs110 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data50.commit !== undefined){
let data53 = data50.commit;
const _errs112 = errors;
if(errors === _errs112){
if(typeof data53 === "string"){
if(!pattern2.test(data53)){
validate14.errors = [{instancePath:instancePath+"/delivery/commit",schemaPath:"#/properties/delivery/properties/commit/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{40,64}$"},message:"must match pattern \""+"^[0-9a-f]{40,64}$"+"\""}];
return false;
}
}
else {
validate14.errors = [{instancePath:instancePath+"/delivery/commit",schemaPath:"#/properties/delivery/properties/commit/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid10 = _errs112 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data50.base !== undefined){
const _errs114 = errors;
if(typeof data50.base !== "string"){
validate14.errors = [{instancePath:instancePath+"/delivery/base",schemaPath:"#/properties/delivery/properties/base/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid10 = _errs114 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data50.title !== undefined){
const _errs116 = errors;
if(typeof data50.title !== "string"){
validate14.errors = [{instancePath:instancePath+"/delivery/title",schemaPath:"#/properties/delivery/properties/title/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid10 = _errs116 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data50.text !== undefined){
const _errs118 = errors;
if(typeof data50.text !== "string"){
validate14.errors = [{instancePath:instancePath+"/delivery/text",schemaPath:"#/properties/delivery/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid10 = _errs118 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data50.host !== undefined){
let data57 = data50.host;
const _errs120 = errors;
if(errors === _errs120){
if(data57 && typeof data57 == "object" && !Array.isArray(data57)){
const _errs122 = errors;
for(const key7 in data57){
if(!((key7 === "type") || (key7 === "apiUrl"))){
delete data57[key7];
}
}
if(_errs122 === errors){
if(data57.type !== undefined){
let data58 = data57.type;
const _errs123 = errors;
if(!(((data58 === "GitHub") || (data58 === "GitLab")) || (data58 === "Gitea"))){
validate14.errors = [{instancePath:instancePath+"/delivery/host/type",schemaPath:"#/properties/delivery/properties/host/properties/type/enum",keyword:"enum",params:{allowedValues: schema15.properties.delivery.properties.host.properties.type.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid11 = _errs123 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data57.apiUrl !== undefined){
const _errs124 = errors;
if(typeof data57.apiUrl !== "string"){
validate14.errors = [{instancePath:instancePath+"/delivery/host/apiUrl",schemaPath:"#/properties/delivery/properties/host/properties/apiUrl/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid11 = _errs124 === errors;
}
else {
var valid11 = true;
}
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/delivery/host",schemaPath:"#/properties/delivery/properties/host/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid10 = _errs120 === errors;
}
else {
var valid10 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/delivery",schemaPath:"#/properties/delivery/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs106 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.passEnv !== undefined){
let data60 = data.passEnv;
const _errs126 = errors;
if(errors === _errs126){
if(Array.isArray(data60)){
var valid12 = true;
const len4 = data60.length;
for(let i4=0; i4<len4; i4++){
const _errs128 = errors;
if(typeof data60[i4] !== "string"){
validate14.errors = [{instancePath:instancePath+"/passEnv/" + i4,schemaPath:"#/properties/passEnv/items/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid12 = _errs128 === errors;
if(!valid12){
break;
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/passEnv",schemaPath:"#/properties/passEnv/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs126 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
validate14.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate14.errors = vErrors;
return errors === 0;
}
