// Generated from the schema of lib/config.ts by tools/generate.ts; do not edit.
// @ts-nocheck: types stand at the exports alone.
/* oxlint-disable */
import type { ValidateFunction } from 'ajv'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import equal from 'ajv/dist/runtime/equal.js'
export const isConfig: ValidateFunction = validate10;
const schema11 = {"type":"object","required":["healthListen","dataDir","tokens","identity","admissionPolicies","insecure","allowedHosts","trustedProxies","runtime","image","volumeRoot","volumeClaim","executionPods","gitCredentials","pushPrivateEndpoints","logLevel"],"properties":{"listen":{"type":"string","description":"Address and port of the API server; default 127.0.0.1:8080, or the next free port when that one is taken","pattern":"^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"},"metricsListen":{"type":"string","description":"Address and port of the Prometheus metrics, which ask for no token; default none are shown","pattern":"^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"},"healthListen":{"type":"string","default":"0.0.0.0:8081","description":"Address and port of /healthz and /readyz of `slipway operator`, which ask for no token; off: none","pattern":"^(off|0)$|^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"},"dataDir":{"type":"string","default":".slipway","description":"Folder of everything that Slipway keeps on this machine","minLength":1},"token":{"type":"string","description":"Bearer token that API and WebSocket clients must present; none: open on loopback","minLength":8,"writeOnly":true},"webhookSecret":{"type":"string","description":"Key of the signature that incoming webhooks must carry; none: they need the token where one is set","minLength":8,"writeOnly":true},"tokens":{"type":"array","items":{"type":"object","required":["name","scopes"],"properties":{"name":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,62}$"},"token":{"type":"string","minLength":8,"writeOnly":true},"tokenFile":{"type":"string","pattern":"^/"},"scopes":{"type":"array","items":{"enum":["read","decide","admin"]},"minItems":1,"uniqueItems":true}},"additionalProperties":false},"default":[],"description":"Tokens with names and scopes, as YAML or JSON: [{name, token or tokenFile, scopes}]"},"identity":{"type":"object","properties":{"kubernetes":{"type":"object","required":["audience"],"properties":{"audience":{"type":"string","minLength":1,"maxLength":253}},"additionalProperties":false}},"additionalProperties":false,"default":{},"description":"Ways to sign in beside tokens, as YAML or JSON: {kubernetes: {audience}} accepts tokens of the cluster for that audience"},"admissionPolicies":{"type":"boolean","default":false,"description":"The chart's admission policies are in force in the namespace: names in slipway.dev/by are proven and recorded"},"insecure":{"type":"boolean","default":false,"description":"Listen beyond loopback although no token is set"},"publicUrl":{"type":"string","description":"URL that people reach the server under","pattern":"^https?://"},"allowedHosts":{"type":"array","items":{"type":"string"},"default":[],"description":"Host names accepted besides loopback and publicUrl; *.example.com: every name below example.com"},"trustedProxies":{"type":"array","items":{"type":"string"},"default":[],"description":"Addresses and CIDR ranges of reverse proxies whose X-Forwarded-For is believed"},"allowPrivateAddresses":{"type":"boolean","description":"Let deployment status read commit URLs and public repositories on this machine and private networks; default true embedded, false in a cluster"},"workspaceRoot":{"type":"string","description":"Folder whose sub-folders GET /api/workspaces lists; default /workspace, embedded <dataDir>/workspace"},"scriptsDir":{"type":"string","description":"Folder with the scripts that POST /api/scripts/{name} runs; none: the built-in ones only"},"deployCommand":{"type":"string","description":"Shell command that the script deploy runs; none: 409","minLength":1},"runtime":{"enum":["auto","bwrap","process"],"description":"How the embedded node runs containers: in a bubblewrap sandbox, or as plain processes that isolate nothing. auto takes bubblewrap where it works, else plain processes for the script agent only","default":"auto"},"namespace":{"type":"string","description":"Namespace to serve; default that of the kubeconfig context, else default"},"kubeconfig":{"type":"string","description":"Use the cluster of this kubeconfig in place of the embedded control plane"},"image":{"type":"string","default":"slipway:latest","description":"Image of Slipway that Jobs on a cluster run","minLength":1},"volumeRoot":{"type":"string","default":"/slipway","description":"Where the data volume is mounted in a cluster","pattern":"^/"},"volumeClaim":{"type":"string","default":"slipway-data","description":"PersistentVolumeClaim of the namespace that is the data volume in a cluster","minLength":1,"maxLength":253},"executionPods":{"type":"object","properties":{"runAsUser":{"anyOf":[{"type":"integer","minimum":1,"maximum":2147483647},{"type":"null"}]},"resources":{"type":"object","properties":{"copy-runner":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false},"prepare":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false},"agent":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false},"deliver":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false}},"additionalProperties":false,"description":"Of each container by its name; what an Agent says of agent wins"},"tmpSizeLimit":{"type":"string","minLength":1,"description":"Largest size of /tmp of all steps together"},"jobLabels":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Labels added to the Jobs, such as the queue of Kueue"},"labels":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Labels added to the pods"},"annotations":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Annotations added to the pods"},"nodeSelector":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Labels that a node must carry; an Agent may add others"},"tolerations":{"type":"array","items":{"type":"object","properties":{}},"maxItems":20},"affinity":{"type":"object","properties":{},"description":"Each kind of affinity; an Agent may add others"},"priorityClassName":{"type":"string","minLength":1,"description":"Unless the Agent names another"},"imagePullSecrets":{"type":"array","items":{"type":"string","minLength":1},"maxItems":20}},"additionalProperties":false,"default":{},"description":"Resources, user, labels and placement of the pods that executions run in on a cluster, as YAML or JSON"},"gitCredentials":{"type":"array","items":{"type":"object","required":["host","secretName"],"properties":{"host":{"type":"string","pattern":"^(?:(https?|ssh)://)?(\\[[0-9a-f:.]+\\]|[^/:@[\\]\\s]+)(?::(\\d{1,5}))?/?$"},"secretName":{"type":"string","minLength":1,"maxLength":253}},"additionalProperties":false},"default":[],"description":"Secrets with the credentials of git hosts, for repositories whose project names none, as YAML or JSON: [{host, secretName}]"},"vapidPrivateKey":{"type":"string","description":"Private key that push services know this server by (32 bytes, base64url); made at the first start and stored here or, in a cluster, in a Secret","pattern":"^[A-Za-z0-9_-]{43}$","writeOnly":true},"vapidSubject":{"type":"string","description":"How operators of push services can reach you, a mailto: or https: URL; default publicUrl where it is https","pattern":"^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$"},"pushPrivateEndpoints":{"type":"boolean","default":false,"description":"Accept push endpoints at private addresses and over plain http, for a push service of your own"},"logLevel":{"enum":["debug","info","warn","error","silent"],"description":"Least severe log line that is written, on stderr","default":"warn"}},"additionalProperties":false};
const func2 = Object.prototype.hasOwnProperty;
const func3 = ucs2length.default;
const func0 = equal.default;
const pattern0 = new RegExp("^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$", "u");
const pattern2 = new RegExp("^(off|0)$|^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$", "u");
const pattern3 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_.@-]{0,62}$", "u");
const pattern4 = new RegExp("^/", "u");
const pattern5 = new RegExp("^https?://", "u");
const pattern7 = new RegExp("^.*$", "u");
const pattern19 = new RegExp("^(?:(https?|ssh)://)?(\\[[0-9a-f:.]+\\]|[^/:@[\\]\\s]+)(?::(\\d{1,5}))?/?$", "u");
const pattern20 = new RegExp("^[A-Za-z0-9_-]{43}$", "u");
const pattern21 = new RegExp("^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((((data.healthListen === undefined) && (missing0 = "healthListen")) || ((data.dataDir === undefined) && (missing0 = "dataDir"))) || ((data.tokens === undefined) && (missing0 = "tokens"))) || ((data.identity === undefined) && (missing0 = "identity"))) || ((data.admissionPolicies === undefined) && (missing0 = "admissionPolicies"))) || ((data.insecure === undefined) && (missing0 = "insecure"))) || ((data.allowedHosts === undefined) && (missing0 = "allowedHosts"))) || ((data.trustedProxies === undefined) && (missing0 = "trustedProxies"))) || ((data.runtime === undefined) && (missing0 = "runtime"))) || ((data.image === undefined) && (missing0 = "image"))) || ((data.volumeRoot === undefined) && (missing0 = "volumeRoot"))) || ((data.volumeClaim === undefined) && (missing0 = "volumeClaim"))) || ((data.executionPods === undefined) && (missing0 = "executionPods"))) || ((data.gitCredentials === undefined) && (missing0 = "gitCredentials"))) || ((data.pushPrivateEndpoints === undefined) && (missing0 = "pushPrivateEndpoints"))) || ((data.logLevel === undefined) && (missing0 = "logLevel"))){
validate10.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(func2.call(schema11.properties, key0))){
validate10.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.listen !== undefined){
let data0 = data.listen;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern0.test(data0)){
validate10.errors = [{instancePath:instancePath+"/listen",schemaPath:"#/properties/listen/pattern",keyword:"pattern",params:{pattern: "^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/listen",schemaPath:"#/properties/listen/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.metricsListen !== undefined){
let data1 = data.metricsListen;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(!pattern0.test(data1)){
validate10.errors = [{instancePath:instancePath+"/metricsListen",schemaPath:"#/properties/metricsListen/pattern",keyword:"pattern",params:{pattern: "^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/metricsListen",schemaPath:"#/properties/metricsListen/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.healthListen !== undefined){
let data2 = data.healthListen;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(!pattern2.test(data2)){
validate10.errors = [{instancePath:instancePath+"/healthListen",schemaPath:"#/properties/healthListen/pattern",keyword:"pattern",params:{pattern: "^(off|0)$|^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/healthListen",schemaPath:"#/properties/healthListen/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.dataDir !== undefined){
let data3 = data.dataDir;
const _errs8 = errors;
if(errors === _errs8){
if(typeof data3 === "string"){
if(func3(data3) < 1){
validate10.errors = [{instancePath:instancePath+"/dataDir",schemaPath:"#/properties/dataDir/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/dataDir",schemaPath:"#/properties/dataDir/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.token !== undefined){
let data4 = data.token;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data4 === "string"){
if(func3(data4) < 8){
validate10.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/minLength",keyword:"minLength",params:{limit: 8}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.webhookSecret !== undefined){
let data5 = data.webhookSecret;
const _errs12 = errors;
if(errors === _errs12){
if(typeof data5 === "string"){
if(func3(data5) < 8){
validate10.errors = [{instancePath:instancePath+"/webhookSecret",schemaPath:"#/properties/webhookSecret/minLength",keyword:"minLength",params:{limit: 8}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/webhookSecret",schemaPath:"#/properties/webhookSecret/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tokens !== undefined){
let data6 = data.tokens;
const _errs14 = errors;
if(errors === _errs14){
if(Array.isArray(data6)){
var valid1 = true;
const len0 = data6.length;
for(let i0=0; i0<len0; i0++){
let data7 = data6[i0];
const _errs16 = errors;
if(errors === _errs16){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing1;
if(((data7.name === undefined) && (missing1 = "name")) || ((data7.scopes === undefined) && (missing1 = "scopes"))){
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0,schemaPath:"#/properties/tokens/items/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
const _errs18 = errors;
for(const key1 in data7){
if(!((((key1 === "name") || (key1 === "token")) || (key1 === "tokenFile")) || (key1 === "scopes"))){
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0,schemaPath:"#/properties/tokens/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}}];
return false;
break;
}
}
if(_errs18 === errors){
if(data7.name !== undefined){
let data8 = data7.name;
const _errs19 = errors;
if(errors === _errs19){
if(typeof data8 === "string"){
if(!pattern3.test(data8)){
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/name",schemaPath:"#/properties/tokens/items/properties/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9][A-Za-z0-9_.@-]{0,62}$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/name",schemaPath:"#/properties/tokens/items/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid2 = _errs19 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data7.token !== undefined){
let data9 = data7.token;
const _errs21 = errors;
if(errors === _errs21){
if(typeof data9 === "string"){
if(func3(data9) < 8){
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/token",schemaPath:"#/properties/tokens/items/properties/token/minLength",keyword:"minLength",params:{limit: 8}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/token",schemaPath:"#/properties/tokens/items/properties/token/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid2 = _errs21 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data7.tokenFile !== undefined){
let data10 = data7.tokenFile;
const _errs23 = errors;
if(errors === _errs23){
if(typeof data10 === "string"){
if(!pattern4.test(data10)){
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/tokenFile",schemaPath:"#/properties/tokens/items/properties/tokenFile/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/tokenFile",schemaPath:"#/properties/tokens/items/properties/tokenFile/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid2 = _errs23 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data7.scopes !== undefined){
let data11 = data7.scopes;
const _errs25 = errors;
if(errors === _errs25){
if(Array.isArray(data11)){
if(data11.length < 1){
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/scopes",schemaPath:"#/properties/tokens/items/properties/scopes/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid3 = true;
const len1 = data11.length;
for(let i1=0; i1<len1; i1++){
let data12 = data11[i1];
const _errs27 = errors;
if(!(((data12 === "read") || (data12 === "decide")) || (data12 === "admin"))){
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/scopes/" + i1,schemaPath:"#/properties/tokens/items/properties/scopes/items/enum",keyword:"enum",params:{allowedValues: schema11.properties.tokens.items.properties.scopes.items.enum}}];
return false;
}
var valid3 = _errs27 === errors;
if(!valid3){
break;
}
}
if(valid3){
let i2 = data11.length;
let j0;
if(i2 > 1){
outer0:
for(;i2--;){
for(j0 = i2; j0--;){
if(func0(data11[i2], data11[j0])){
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/scopes",schemaPath:"#/properties/tokens/items/properties/scopes/uniqueItems",keyword:"uniqueItems",params:{i: i2, j: j0}}];
return false;
break outer0;
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0+"/scopes",schemaPath:"#/properties/tokens/items/properties/scopes/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid2 = _errs25 === errors;
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
else {
validate10.errors = [{instancePath:instancePath+"/tokens/" + i0,schemaPath:"#/properties/tokens/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid1 = _errs16 === errors;
if(!valid1){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/tokens",schemaPath:"#/properties/tokens/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.identity !== undefined){
let data13 = data.identity;
const _errs28 = errors;
if(errors === _errs28){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
const _errs30 = errors;
for(const key2 in data13){
if(!(key2 === "kubernetes")){
validate10.errors = [{instancePath:instancePath+"/identity",schemaPath:"#/properties/identity/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}}];
return false;
break;
}
}
if(_errs30 === errors){
if(data13.kubernetes !== undefined){
let data14 = data13.kubernetes;
const _errs31 = errors;
if(errors === _errs31){
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
let missing2;
if((data14.audience === undefined) && (missing2 = "audience")){
validate10.errors = [{instancePath:instancePath+"/identity/kubernetes",schemaPath:"#/properties/identity/properties/kubernetes/required",keyword:"required",params:{missingProperty: missing2}}];
return false;
}
else {
const _errs33 = errors;
for(const key3 in data14){
if(!(key3 === "audience")){
validate10.errors = [{instancePath:instancePath+"/identity/kubernetes",schemaPath:"#/properties/identity/properties/kubernetes/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}}];
return false;
break;
}
}
if(_errs33 === errors){
if(data14.audience !== undefined){
let data15 = data14.audience;
const _errs34 = errors;
if(errors === _errs34){
if(typeof data15 === "string"){
if(func3(data15) > 253){
validate10.errors = [{instancePath:instancePath+"/identity/kubernetes/audience",schemaPath:"#/properties/identity/properties/kubernetes/properties/audience/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data15) < 1){
validate10.errors = [{instancePath:instancePath+"/identity/kubernetes/audience",schemaPath:"#/properties/identity/properties/kubernetes/properties/audience/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/kubernetes/audience",schemaPath:"#/properties/identity/properties/kubernetes/properties/audience/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/kubernetes",schemaPath:"#/properties/identity/properties/kubernetes/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity",schemaPath:"#/properties/identity/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs28 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.admissionPolicies !== undefined){
const _errs36 = errors;
if(typeof data.admissionPolicies !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/admissionPolicies",schemaPath:"#/properties/admissionPolicies/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs36 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.insecure !== undefined){
const _errs38 = errors;
if(typeof data.insecure !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/insecure",schemaPath:"#/properties/insecure/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs38 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicUrl !== undefined){
let data18 = data.publicUrl;
const _errs40 = errors;
if(errors === _errs40){
if(typeof data18 === "string"){
if(!pattern5.test(data18)){
validate10.errors = [{instancePath:instancePath+"/publicUrl",schemaPath:"#/properties/publicUrl/pattern",keyword:"pattern",params:{pattern: "^https?://"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/publicUrl",schemaPath:"#/properties/publicUrl/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs40 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.allowedHosts !== undefined){
let data19 = data.allowedHosts;
const _errs42 = errors;
if(errors === _errs42){
if(Array.isArray(data19)){
var valid7 = true;
const len2 = data19.length;
for(let i3=0; i3<len2; i3++){
const _errs44 = errors;
if(typeof data19[i3] !== "string"){
validate10.errors = [{instancePath:instancePath+"/allowedHosts/" + i3,schemaPath:"#/properties/allowedHosts/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid7 = _errs44 === errors;
if(!valid7){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/allowedHosts",schemaPath:"#/properties/allowedHosts/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs42 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trustedProxies !== undefined){
let data21 = data.trustedProxies;
const _errs46 = errors;
if(errors === _errs46){
if(Array.isArray(data21)){
var valid8 = true;
const len3 = data21.length;
for(let i4=0; i4<len3; i4++){
const _errs48 = errors;
if(typeof data21[i4] !== "string"){
validate10.errors = [{instancePath:instancePath+"/trustedProxies/" + i4,schemaPath:"#/properties/trustedProxies/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid8 = _errs48 === errors;
if(!valid8){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/trustedProxies",schemaPath:"#/properties/trustedProxies/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs46 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.allowPrivateAddresses !== undefined){
const _errs50 = errors;
if(typeof data.allowPrivateAddresses !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/allowPrivateAddresses",schemaPath:"#/properties/allowPrivateAddresses/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs50 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.workspaceRoot !== undefined){
const _errs52 = errors;
if(typeof data.workspaceRoot !== "string"){
validate10.errors = [{instancePath:instancePath+"/workspaceRoot",schemaPath:"#/properties/workspaceRoot/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs52 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scriptsDir !== undefined){
const _errs54 = errors;
if(typeof data.scriptsDir !== "string"){
validate10.errors = [{instancePath:instancePath+"/scriptsDir",schemaPath:"#/properties/scriptsDir/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs54 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.deployCommand !== undefined){
let data26 = data.deployCommand;
const _errs56 = errors;
if(errors === _errs56){
if(typeof data26 === "string"){
if(func3(data26) < 1){
validate10.errors = [{instancePath:instancePath+"/deployCommand",schemaPath:"#/properties/deployCommand/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/deployCommand",schemaPath:"#/properties/deployCommand/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs56 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.runtime !== undefined){
let data27 = data.runtime;
const _errs58 = errors;
if(!(((data27 === "auto") || (data27 === "bwrap")) || (data27 === "process"))){
validate10.errors = [{instancePath:instancePath+"/runtime",schemaPath:"#/properties/runtime/enum",keyword:"enum",params:{allowedValues: schema11.properties.runtime.enum}}];
return false;
}
var valid0 = _errs58 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.namespace !== undefined){
const _errs59 = errors;
if(typeof data.namespace !== "string"){
validate10.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs59 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.kubeconfig !== undefined){
const _errs61 = errors;
if(typeof data.kubeconfig !== "string"){
validate10.errors = [{instancePath:instancePath+"/kubeconfig",schemaPath:"#/properties/kubeconfig/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs61 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.image !== undefined){
let data30 = data.image;
const _errs63 = errors;
if(errors === _errs63){
if(typeof data30 === "string"){
if(func3(data30) < 1){
validate10.errors = [{instancePath:instancePath+"/image",schemaPath:"#/properties/image/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/image",schemaPath:"#/properties/image/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs63 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.volumeRoot !== undefined){
let data31 = data.volumeRoot;
const _errs65 = errors;
if(errors === _errs65){
if(typeof data31 === "string"){
if(!pattern4.test(data31)){
validate10.errors = [{instancePath:instancePath+"/volumeRoot",schemaPath:"#/properties/volumeRoot/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/volumeRoot",schemaPath:"#/properties/volumeRoot/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs65 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.volumeClaim !== undefined){
let data32 = data.volumeClaim;
const _errs67 = errors;
if(errors === _errs67){
if(typeof data32 === "string"){
if(func3(data32) > 253){
validate10.errors = [{instancePath:instancePath+"/volumeClaim",schemaPath:"#/properties/volumeClaim/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data32) < 1){
validate10.errors = [{instancePath:instancePath+"/volumeClaim",schemaPath:"#/properties/volumeClaim/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/volumeClaim",schemaPath:"#/properties/volumeClaim/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs67 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.executionPods !== undefined){
let data33 = data.executionPods;
const _errs69 = errors;
if(errors === _errs69){
if(data33 && typeof data33 == "object" && !Array.isArray(data33)){
const _errs71 = errors;
for(const key4 in data33){
if(!(func2.call(schema11.properties.executionPods.properties, key4))){
validate10.errors = [{instancePath:instancePath+"/executionPods",schemaPath:"#/properties/executionPods/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}}];
return false;
break;
}
}
if(_errs71 === errors){
if(data33.runAsUser !== undefined){
let data34 = data33.runAsUser;
const _errs72 = errors;
const _errs73 = errors;
let valid10 = false;
const _errs74 = errors;
if(!(((typeof data34 == "number") && (!(data34 % 1) && !isNaN(data34))) && (isFinite(data34)))){
const err0 = {instancePath:instancePath+"/executionPods/runAsUser",schemaPath:"#/properties/executionPods/properties/runAsUser/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(errors === _errs74){
if((typeof data34 == "number") && (isFinite(data34))){
if(data34 > 2147483647 || isNaN(data34)){
const err1 = {instancePath:instancePath+"/executionPods/runAsUser",schemaPath:"#/properties/executionPods/properties/runAsUser/anyOf/0/maximum",keyword:"maximum",params:{comparison: "<=", limit: 2147483647}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
else {
if(data34 < 1 || isNaN(data34)){
const err2 = {instancePath:instancePath+"/executionPods/runAsUser",schemaPath:"#/properties/executionPods/properties/runAsUser/anyOf/0/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
}
var _valid0 = _errs74 === errors;
valid10 = valid10 || _valid0;
if(!valid10){
const _errs76 = errors;
if(data34 !== null){
const err3 = {instancePath:instancePath+"/executionPods/runAsUser",schemaPath:"#/properties/executionPods/properties/runAsUser/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var _valid0 = _errs76 === errors;
valid10 = valid10 || _valid0;
}
if(!valid10){
const err4 = {instancePath:instancePath+"/executionPods/runAsUser",schemaPath:"#/properties/executionPods/properties/runAsUser/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs73;
if(vErrors !== null){
if(_errs73){
vErrors.length = _errs73;
}
else {
vErrors = null;
}
}
}
var valid9 = _errs72 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.resources !== undefined){
let data35 = data33.resources;
const _errs78 = errors;
if(errors === _errs78){
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
const _errs80 = errors;
for(const key5 in data35){
if(!((((key5 === "copy-runner") || (key5 === "prepare")) || (key5 === "agent")) || (key5 === "deliver"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources",schemaPath:"#/properties/executionPods/properties/resources/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}}];
return false;
break;
}
}
if(_errs80 === errors){
if(data35["copy-runner"] !== undefined){
let data36 = data35["copy-runner"];
const _errs81 = errors;
if(errors === _errs81){
if(data36 && typeof data36 == "object" && !Array.isArray(data36)){
const _errs83 = errors;
for(const key6 in data36){
if(!((key6 === "requests") || (key6 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/copy-runner",schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}}];
return false;
break;
}
}
if(_errs83 === errors){
if(data36.requests !== undefined){
let data37 = data36.requests;
const _errs84 = errors;
if(errors === _errs84){
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
var valid13 = true;
for(const key7 in data37){
if(pattern7.test(key7)){
let data38 = data37[key7];
const _errs86 = errors;
const _errs87 = errors;
let valid14 = false;
const _errs88 = errors;
if(errors === _errs88){
if(typeof data38 === "string"){
if(func3(data38) < 1){
const err5 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
var _valid1 = _errs88 === errors;
valid14 = valid14 || _valid1;
if(!valid14){
const _errs90 = errors;
if(errors === _errs90){
if((typeof data38 == "number") && (isFinite(data38))){
if(data38 < 0 || isNaN(data38)){
const err7 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var _valid1 = _errs90 === errors;
valid14 = valid14 || _valid1;
}
if(!valid14){
const err9 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key7.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs87;
if(vErrors !== null){
if(_errs87){
vErrors.length = _errs87;
}
else {
vErrors = null;
}
}
}
var valid13 = _errs86 === errors;
if(!valid13){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/copy-runner/requests",schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid12 = _errs84 === errors;
}
else {
var valid12 = true;
}
if(valid12){
if(data36.limits !== undefined){
let data39 = data36.limits;
const _errs92 = errors;
if(errors === _errs92){
if(data39 && typeof data39 == "object" && !Array.isArray(data39)){
var valid15 = true;
for(const key8 in data39){
if(pattern7.test(key8)){
let data40 = data39[key8];
const _errs94 = errors;
const _errs95 = errors;
let valid16 = false;
const _errs96 = errors;
if(errors === _errs96){
if(typeof data40 === "string"){
if(func3(data40) < 1){
const err10 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
var _valid2 = _errs96 === errors;
valid16 = valid16 || _valid2;
if(!valid16){
const _errs98 = errors;
if(errors === _errs98){
if((typeof data40 == "number") && (isFinite(data40))){
if(data40 < 0 || isNaN(data40)){
const err12 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
var _valid2 = _errs98 === errors;
valid16 = valid16 || _valid2;
}
if(!valid16){
const err14 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key8.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs95;
if(vErrors !== null){
if(_errs95){
vErrors.length = _errs95;
}
else {
vErrors = null;
}
}
}
var valid15 = _errs94 === errors;
if(!valid15){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/copy-runner/limits",schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid12 = _errs92 === errors;
}
else {
var valid12 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/copy-runner",schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid11 = _errs81 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data35.prepare !== undefined){
let data41 = data35.prepare;
const _errs100 = errors;
if(errors === _errs100){
if(data41 && typeof data41 == "object" && !Array.isArray(data41)){
const _errs102 = errors;
for(const key9 in data41){
if(!((key9 === "requests") || (key9 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/prepare",schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}}];
return false;
break;
}
}
if(_errs102 === errors){
if(data41.requests !== undefined){
let data42 = data41.requests;
const _errs103 = errors;
if(errors === _errs103){
if(data42 && typeof data42 == "object" && !Array.isArray(data42)){
var valid18 = true;
for(const key10 in data42){
if(pattern7.test(key10)){
let data43 = data42[key10];
const _errs105 = errors;
const _errs106 = errors;
let valid19 = false;
const _errs107 = errors;
if(errors === _errs107){
if(typeof data43 === "string"){
if(func3(data43) < 1){
const err15 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
var _valid3 = _errs107 === errors;
valid19 = valid19 || _valid3;
if(!valid19){
const _errs109 = errors;
if(errors === _errs109){
if((typeof data43 == "number") && (isFinite(data43))){
if(data43 < 0 || isNaN(data43)){
const err17 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
var _valid3 = _errs109 === errors;
valid19 = valid19 || _valid3;
}
if(!valid19){
const err19 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs106;
if(vErrors !== null){
if(_errs106){
vErrors.length = _errs106;
}
else {
vErrors = null;
}
}
}
var valid18 = _errs105 === errors;
if(!valid18){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/prepare/requests",schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid17 = _errs103 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data41.limits !== undefined){
let data44 = data41.limits;
const _errs111 = errors;
if(errors === _errs111){
if(data44 && typeof data44 == "object" && !Array.isArray(data44)){
var valid20 = true;
for(const key11 in data44){
if(pattern7.test(key11)){
let data45 = data44[key11];
const _errs113 = errors;
const _errs114 = errors;
let valid21 = false;
const _errs115 = errors;
if(errors === _errs115){
if(typeof data45 === "string"){
if(func3(data45) < 1){
const err20 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
var _valid4 = _errs115 === errors;
valid21 = valid21 || _valid4;
if(!valid21){
const _errs117 = errors;
if(errors === _errs117){
if((typeof data45 == "number") && (isFinite(data45))){
if(data45 < 0 || isNaN(data45)){
const err22 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
var _valid4 = _errs117 === errors;
valid21 = valid21 || _valid4;
}
if(!valid21){
const err24 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key11.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs114;
if(vErrors !== null){
if(_errs114){
vErrors.length = _errs114;
}
else {
vErrors = null;
}
}
}
var valid20 = _errs113 === errors;
if(!valid20){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/prepare/limits",schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid17 = _errs111 === errors;
}
else {
var valid17 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/prepare",schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid11 = _errs100 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data35.agent !== undefined){
let data46 = data35.agent;
const _errs119 = errors;
if(errors === _errs119){
if(data46 && typeof data46 == "object" && !Array.isArray(data46)){
const _errs121 = errors;
for(const key12 in data46){
if(!((key12 === "requests") || (key12 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/agent",schemaPath:"#/properties/executionPods/properties/resources/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}}];
return false;
break;
}
}
if(_errs121 === errors){
if(data46.requests !== undefined){
let data47 = data46.requests;
const _errs122 = errors;
if(errors === _errs122){
if(data47 && typeof data47 == "object" && !Array.isArray(data47)){
var valid23 = true;
for(const key13 in data47){
if(pattern7.test(key13)){
let data48 = data47[key13];
const _errs124 = errors;
const _errs125 = errors;
let valid24 = false;
const _errs126 = errors;
if(errors === _errs126){
if(typeof data48 === "string"){
if(func3(data48) < 1){
const err25 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
var _valid5 = _errs126 === errors;
valid24 = valid24 || _valid5;
if(!valid24){
const _errs128 = errors;
if(errors === _errs128){
if((typeof data48 == "number") && (isFinite(data48))){
if(data48 < 0 || isNaN(data48)){
const err27 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
else {
const err28 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
var _valid5 = _errs128 === errors;
valid24 = valid24 || _valid5;
}
if(!valid24){
const err29 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs125;
if(vErrors !== null){
if(_errs125){
vErrors.length = _errs125;
}
else {
vErrors = null;
}
}
}
var valid23 = _errs124 === errors;
if(!valid23){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/agent/requests",schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid22 = _errs122 === errors;
}
else {
var valid22 = true;
}
if(valid22){
if(data46.limits !== undefined){
let data49 = data46.limits;
const _errs130 = errors;
if(errors === _errs130){
if(data49 && typeof data49 == "object" && !Array.isArray(data49)){
var valid25 = true;
for(const key14 in data49){
if(pattern7.test(key14)){
let data50 = data49[key14];
const _errs132 = errors;
const _errs133 = errors;
let valid26 = false;
const _errs134 = errors;
if(errors === _errs134){
if(typeof data50 === "string"){
if(func3(data50) < 1){
const err30 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
var _valid6 = _errs134 === errors;
valid26 = valid26 || _valid6;
if(!valid26){
const _errs136 = errors;
if(errors === _errs136){
if((typeof data50 == "number") && (isFinite(data50))){
if(data50 < 0 || isNaN(data50)){
const err32 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
var _valid6 = _errs136 === errors;
valid26 = valid26 || _valid6;
}
if(!valid26){
const err34 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key14.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs133;
if(vErrors !== null){
if(_errs133){
vErrors.length = _errs133;
}
else {
vErrors = null;
}
}
}
var valid25 = _errs132 === errors;
if(!valid25){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/agent/limits",schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid22 = _errs130 === errors;
}
else {
var valid22 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/agent",schemaPath:"#/properties/executionPods/properties/resources/properties/agent/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid11 = _errs119 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data35.deliver !== undefined){
let data51 = data35.deliver;
const _errs138 = errors;
if(errors === _errs138){
if(data51 && typeof data51 == "object" && !Array.isArray(data51)){
const _errs140 = errors;
for(const key15 in data51){
if(!((key15 === "requests") || (key15 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/deliver",schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key15}}];
return false;
break;
}
}
if(_errs140 === errors){
if(data51.requests !== undefined){
let data52 = data51.requests;
const _errs141 = errors;
if(errors === _errs141){
if(data52 && typeof data52 == "object" && !Array.isArray(data52)){
var valid28 = true;
for(const key16 in data52){
if(pattern7.test(key16)){
let data53 = data52[key16];
const _errs143 = errors;
const _errs144 = errors;
let valid29 = false;
const _errs145 = errors;
if(errors === _errs145){
if(typeof data53 === "string"){
if(func3(data53) < 1){
const err35 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
else {
const err36 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
var _valid7 = _errs145 === errors;
valid29 = valid29 || _valid7;
if(!valid29){
const _errs147 = errors;
if(errors === _errs147){
if((typeof data53 == "number") && (isFinite(data53))){
if(data53 < 0 || isNaN(data53)){
const err37 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
else {
const err38 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
var _valid7 = _errs147 === errors;
valid29 = valid29 || _valid7;
}
if(!valid29){
const err39 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs144;
if(vErrors !== null){
if(_errs144){
vErrors.length = _errs144;
}
else {
vErrors = null;
}
}
}
var valid28 = _errs143 === errors;
if(!valid28){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/deliver/requests",schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid27 = _errs141 === errors;
}
else {
var valid27 = true;
}
if(valid27){
if(data51.limits !== undefined){
let data54 = data51.limits;
const _errs149 = errors;
if(errors === _errs149){
if(data54 && typeof data54 == "object" && !Array.isArray(data54)){
var valid30 = true;
for(const key17 in data54){
if(pattern7.test(key17)){
let data55 = data54[key17];
const _errs151 = errors;
const _errs152 = errors;
let valid31 = false;
const _errs153 = errors;
if(errors === _errs153){
if(typeof data55 === "string"){
if(func3(data55) < 1){
const err40 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
else {
const err41 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
var _valid8 = _errs153 === errors;
valid31 = valid31 || _valid8;
if(!valid31){
const _errs155 = errors;
if(errors === _errs155){
if((typeof data55 == "number") && (isFinite(data55))){
if(data55 < 0 || isNaN(data55)){
const err42 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
else {
const err43 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
var _valid8 = _errs155 === errors;
valid31 = valid31 || _valid8;
}
if(!valid31){
const err44 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key17.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
validate10.errors = vErrors;
return false;
}
else {
errors = _errs152;
if(vErrors !== null){
if(_errs152){
vErrors.length = _errs152;
}
else {
vErrors = null;
}
}
}
var valid30 = _errs151 === errors;
if(!valid30){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/deliver/limits",schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid27 = _errs149 === errors;
}
else {
var valid27 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/deliver",schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid11 = _errs138 === errors;
}
else {
var valid11 = true;
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources",schemaPath:"#/properties/executionPods/properties/resources/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid9 = _errs78 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.tmpSizeLimit !== undefined){
let data56 = data33.tmpSizeLimit;
const _errs157 = errors;
if(errors === _errs157){
if(typeof data56 === "string"){
if(func3(data56) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/tmpSizeLimit",schemaPath:"#/properties/executionPods/properties/tmpSizeLimit/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/tmpSizeLimit",schemaPath:"#/properties/executionPods/properties/tmpSizeLimit/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid9 = _errs157 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.jobLabels !== undefined){
let data57 = data33.jobLabels;
const _errs159 = errors;
if(errors === _errs159){
if(data57 && typeof data57 == "object" && !Array.isArray(data57)){
var valid32 = true;
for(const key18 in data57){
if(pattern7.test(key18)){
const _errs161 = errors;
if(typeof data57[key18] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/jobLabels/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/jobLabels/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid32 = _errs161 === errors;
if(!valid32){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/jobLabels",schemaPath:"#/properties/executionPods/properties/jobLabels/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid9 = _errs159 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.labels !== undefined){
let data59 = data33.labels;
const _errs163 = errors;
if(errors === _errs163){
if(data59 && typeof data59 == "object" && !Array.isArray(data59)){
var valid33 = true;
for(const key19 in data59){
if(pattern7.test(key19)){
const _errs165 = errors;
if(typeof data59[key19] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/labels/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/labels/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid33 = _errs165 === errors;
if(!valid33){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/labels",schemaPath:"#/properties/executionPods/properties/labels/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid9 = _errs163 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.annotations !== undefined){
let data61 = data33.annotations;
const _errs167 = errors;
if(errors === _errs167){
if(data61 && typeof data61 == "object" && !Array.isArray(data61)){
var valid34 = true;
for(const key20 in data61){
if(pattern7.test(key20)){
const _errs169 = errors;
if(typeof data61[key20] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/annotations/" + key20.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/annotations/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid34 = _errs169 === errors;
if(!valid34){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/annotations",schemaPath:"#/properties/executionPods/properties/annotations/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid9 = _errs167 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.nodeSelector !== undefined){
let data63 = data33.nodeSelector;
const _errs171 = errors;
if(errors === _errs171){
if(data63 && typeof data63 == "object" && !Array.isArray(data63)){
var valid35 = true;
for(const key21 in data63){
if(pattern7.test(key21)){
const _errs173 = errors;
if(typeof data63[key21] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/nodeSelector/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/nodeSelector/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid35 = _errs173 === errors;
if(!valid35){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/nodeSelector",schemaPath:"#/properties/executionPods/properties/nodeSelector/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid9 = _errs171 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.tolerations !== undefined){
let data65 = data33.tolerations;
const _errs175 = errors;
if(errors === _errs175){
if(Array.isArray(data65)){
if(data65.length > 20){
validate10.errors = [{instancePath:instancePath+"/executionPods/tolerations",schemaPath:"#/properties/executionPods/properties/tolerations/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid36 = true;
const len4 = data65.length;
for(let i5=0; i5<len4; i5++){
let data66 = data65[i5];
const _errs177 = errors;
if(errors === _errs177){
if(!(data66 && typeof data66 == "object" && !Array.isArray(data66))){
validate10.errors = [{instancePath:instancePath+"/executionPods/tolerations/" + i5,schemaPath:"#/properties/executionPods/properties/tolerations/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid36 = _errs177 === errors;
if(!valid36){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/tolerations",schemaPath:"#/properties/executionPods/properties/tolerations/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid9 = _errs175 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.affinity !== undefined){
let data67 = data33.affinity;
const _errs179 = errors;
if(errors === _errs179){
if(!(data67 && typeof data67 == "object" && !Array.isArray(data67))){
validate10.errors = [{instancePath:instancePath+"/executionPods/affinity",schemaPath:"#/properties/executionPods/properties/affinity/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid9 = _errs179 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.priorityClassName !== undefined){
let data68 = data33.priorityClassName;
const _errs181 = errors;
if(errors === _errs181){
if(typeof data68 === "string"){
if(func3(data68) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/priorityClassName",schemaPath:"#/properties/executionPods/properties/priorityClassName/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/priorityClassName",schemaPath:"#/properties/executionPods/properties/priorityClassName/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid9 = _errs181 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data33.imagePullSecrets !== undefined){
let data69 = data33.imagePullSecrets;
const _errs183 = errors;
if(errors === _errs183){
if(Array.isArray(data69)){
if(data69.length > 20){
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets",schemaPath:"#/properties/executionPods/properties/imagePullSecrets/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid37 = true;
const len5 = data69.length;
for(let i6=0; i6<len5; i6++){
let data70 = data69[i6];
const _errs185 = errors;
if(errors === _errs185){
if(typeof data70 === "string"){
if(func3(data70) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets/" + i6,schemaPath:"#/properties/executionPods/properties/imagePullSecrets/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets/" + i6,schemaPath:"#/properties/executionPods/properties/imagePullSecrets/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid37 = _errs185 === errors;
if(!valid37){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets",schemaPath:"#/properties/executionPods/properties/imagePullSecrets/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid9 = _errs183 === errors;
}
else {
var valid9 = true;
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
validate10.errors = [{instancePath:instancePath+"/executionPods",schemaPath:"#/properties/executionPods/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs69 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gitCredentials !== undefined){
let data71 = data.gitCredentials;
const _errs187 = errors;
if(errors === _errs187){
if(Array.isArray(data71)){
var valid38 = true;
const len6 = data71.length;
for(let i7=0; i7<len6; i7++){
let data72 = data71[i7];
const _errs189 = errors;
if(errors === _errs189){
if(data72 && typeof data72 == "object" && !Array.isArray(data72)){
let missing3;
if(((data72.host === undefined) && (missing3 = "host")) || ((data72.secretName === undefined) && (missing3 = "secretName"))){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7,schemaPath:"#/properties/gitCredentials/items/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
const _errs191 = errors;
for(const key22 in data72){
if(!((key22 === "host") || (key22 === "secretName"))){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7,schemaPath:"#/properties/gitCredentials/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key22}}];
return false;
break;
}
}
if(_errs191 === errors){
if(data72.host !== undefined){
let data73 = data72.host;
const _errs192 = errors;
if(errors === _errs192){
if(typeof data73 === "string"){
if(!pattern19.test(data73)){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7+"/host",schemaPath:"#/properties/gitCredentials/items/properties/host/pattern",keyword:"pattern",params:{pattern: "^(?:(https?|ssh)://)?(\\[[0-9a-f:.]+\\]|[^/:@[\\]\\s]+)(?::(\\d{1,5}))?/?$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7+"/host",schemaPath:"#/properties/gitCredentials/items/properties/host/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid39 = _errs192 === errors;
}
else {
var valid39 = true;
}
if(valid39){
if(data72.secretName !== undefined){
let data74 = data72.secretName;
const _errs194 = errors;
if(errors === _errs194){
if(typeof data74 === "string"){
if(func3(data74) > 253){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7+"/secretName",schemaPath:"#/properties/gitCredentials/items/properties/secretName/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data74) < 1){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7+"/secretName",schemaPath:"#/properties/gitCredentials/items/properties/secretName/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7+"/secretName",schemaPath:"#/properties/gitCredentials/items/properties/secretName/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid39 = _errs194 === errors;
}
else {
var valid39 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7,schemaPath:"#/properties/gitCredentials/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid38 = _errs189 === errors;
if(!valid38){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gitCredentials",schemaPath:"#/properties/gitCredentials/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs187 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vapidPrivateKey !== undefined){
let data75 = data.vapidPrivateKey;
const _errs196 = errors;
if(errors === _errs196){
if(typeof data75 === "string"){
if(!pattern20.test(data75)){
validate10.errors = [{instancePath:instancePath+"/vapidPrivateKey",schemaPath:"#/properties/vapidPrivateKey/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{43}$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/vapidPrivateKey",schemaPath:"#/properties/vapidPrivateKey/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs196 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vapidSubject !== undefined){
let data76 = data.vapidSubject;
const _errs198 = errors;
if(errors === _errs198){
if(typeof data76 === "string"){
if(!pattern21.test(data76)){
validate10.errors = [{instancePath:instancePath+"/vapidSubject",schemaPath:"#/properties/vapidSubject/pattern",keyword:"pattern",params:{pattern: "^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/vapidSubject",schemaPath:"#/properties/vapidSubject/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs198 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pushPrivateEndpoints !== undefined){
const _errs200 = errors;
if(typeof data.pushPrivateEndpoints !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/pushPrivateEndpoints",schemaPath:"#/properties/pushPrivateEndpoints/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs200 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logLevel !== undefined){
let data78 = data.logLevel;
const _errs202 = errors;
if(!(((((data78 === "debug") || (data78 === "info")) || (data78 === "warn")) || (data78 === "error")) || (data78 === "silent"))){
validate10.errors = [{instancePath:instancePath+"/logLevel",schemaPath:"#/properties/logLevel/enum",keyword:"enum",params:{allowedValues: schema11.properties.logLevel.enum}}];
return false;
}
var valid0 = _errs202 === errors;
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
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}
