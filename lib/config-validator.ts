// Generated from the schema of lib/config.ts by tools/generate.ts; do not edit.
// @ts-nocheck: types stand at the exports alone.
/* oxlint-disable */
import type { ValidateFunction } from 'ajv'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import equal from 'ajv/dist/runtime/equal.js'
export const isConfig: ValidateFunction = validate10;
const schema11 = {"type":"object","required":["healthListen","dataDir","tokens","identity","admissionPolicies","fourEyes","insecure","allowedHosts","trustedProxies","runtime","image","volumeRoot","volumeClaim","executionPods","gitCredentials","pushPrivateEndpoints","logLevel"],"properties":{"listen":{"type":"string","description":"Address and port of the API server; default 127.0.0.1:8080, or the next free port when that one is taken","pattern":"^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"},"metricsListen":{"type":"string","description":"Address and port of the Prometheus metrics, which ask for no token; default none are shown","pattern":"^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"},"healthListen":{"type":"string","default":"0.0.0.0:8081","description":"Address and port of /healthz and /readyz of `slipway operator`, which ask for no token; off: none","pattern":"^(off|0)$|^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"},"dataDir":{"type":"string","default":".slipway","description":"Folder of everything that Slipway keeps on this machine","minLength":1},"token":{"type":"string","description":"Bearer token that API and WebSocket clients must present; none: open on loopback","minLength":8,"writeOnly":true},"webhookSecret":{"type":"string","description":"Key of the signature that incoming webhooks must carry; none: they need the token where one is set","minLength":8,"writeOnly":true},"tokens":{"type":"array","items":{"type":"object","required":["name","scopes"],"properties":{"name":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,62}$"},"token":{"type":"string","minLength":8,"writeOnly":true},"tokenFile":{"type":"string","pattern":"^/"},"scopes":{"type":"array","items":{"enum":["read","decide","admin"]},"minItems":1,"uniqueItems":true}},"additionalProperties":false},"default":[],"description":"Tokens with names and scopes, as YAML or JSON: [{name, token or tokenFile, scopes}]"},"identity":{"type":"object","properties":{"kubernetes":{"type":"object","required":["audience"],"properties":{"audience":{"type":"string","minLength":1,"maxLength":253}},"additionalProperties":false}},"additionalProperties":false,"default":{},"description":"Ways to sign in beside tokens, as YAML or JSON: {kubernetes: {audience}} accepts tokens of the cluster for that audience"},"admissionPolicies":{"type":"boolean","default":false,"description":"The chart's admission policies are in force in the namespace: names in slipway.dev/by are proven and recorded"},"fourEyes":{"type":"boolean","default":false,"description":"Who authored a task or story may not accept it; needs admissionPolicies"},"insecure":{"type":"boolean","default":false,"description":"Listen beyond loopback although no token is set"},"publicUrl":{"type":"string","description":"URL that people reach the server under","pattern":"^https?://"},"allowedHosts":{"type":"array","items":{"type":"string"},"default":[],"description":"Host names accepted besides loopback and publicUrl; *.example.com: every name below example.com"},"trustedProxies":{"type":"array","items":{"type":"string"},"default":[],"description":"Addresses and CIDR ranges of reverse proxies whose X-Forwarded-For is believed"},"allowPrivateAddresses":{"type":"boolean","description":"Let deployment status read commit URLs and public repositories on this machine and private networks; default true embedded, false in a cluster"},"workspaceRoot":{"type":"string","description":"Folder whose sub-folders GET /api/workspaces lists; default /workspace, embedded <dataDir>/workspace"},"scriptsDir":{"type":"string","description":"Folder with the scripts that POST /api/scripts/{name} runs; none: the built-in ones only"},"deployCommand":{"type":"string","description":"Shell command that the script deploy runs; none: 409","minLength":1},"runtime":{"enum":["auto","bwrap","process"],"description":"How the embedded node runs containers: in a bubblewrap sandbox, or as plain processes that isolate nothing. auto takes bubblewrap where it works, else plain processes for the script agent only","default":"auto"},"namespace":{"type":"string","description":"Namespace to serve; default that of the kubeconfig context, else default"},"kubeconfig":{"type":"string","description":"Use the cluster of this kubeconfig in place of the embedded control plane"},"image":{"type":"string","default":"slipway:latest","description":"Image of Slipway that Jobs on a cluster run","minLength":1},"volumeRoot":{"type":"string","default":"/slipway","description":"Where the data volume is mounted in a cluster","pattern":"^/"},"volumeClaim":{"type":"string","default":"slipway-data","description":"PersistentVolumeClaim of the namespace that is the data volume in a cluster","minLength":1,"maxLength":253},"executionPods":{"type":"object","properties":{"runAsUser":{"anyOf":[{"type":"integer","minimum":1,"maximum":2147483647},{"type":"null"}]},"resources":{"type":"object","properties":{"copy-runner":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false},"prepare":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false},"agent":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false},"deliver":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false}},"additionalProperties":false,"description":"Of each container by its name; what an Agent says of agent wins"},"tmpSizeLimit":{"type":"string","minLength":1,"description":"Largest size of /tmp of all steps together"},"jobLabels":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Labels added to the Jobs, such as the queue of Kueue"},"labels":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Labels added to the pods"},"annotations":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Annotations added to the pods"},"nodeSelector":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Labels that a node must carry; an Agent may add others"},"tolerations":{"type":"array","items":{"type":"object","properties":{}},"maxItems":20},"affinity":{"type":"object","properties":{},"description":"Each kind of affinity; an Agent may add others"},"priorityClassName":{"type":"string","minLength":1,"description":"Unless the Agent names another"},"imagePullSecrets":{"type":"array","items":{"type":"string","minLength":1},"maxItems":20}},"additionalProperties":false,"default":{},"description":"Resources, user, labels and placement of the pods that executions run in on a cluster, as YAML or JSON"},"gitCredentials":{"type":"array","items":{"type":"object","required":["host","secretName"],"properties":{"host":{"type":"string","pattern":"^(?:(https?|ssh)://)?(\\[[0-9a-f:.]+\\]|[^/:@[\\]\\s]+)(?::(\\d{1,5}))?/?$"},"secretName":{"type":"string","minLength":1,"maxLength":253}},"additionalProperties":false},"default":[],"description":"Secrets with the credentials of git hosts, for repositories whose project names none, as YAML or JSON: [{host, secretName}]"},"vapidPrivateKey":{"type":"string","description":"Private key that push services know this server by (32 bytes, base64url); made at the first start and stored here or, in a cluster, in a Secret","pattern":"^[A-Za-z0-9_-]{43}$","writeOnly":true},"vapidSubject":{"type":"string","description":"How operators of push services can reach you, a mailto: or https: URL; default publicUrl where it is https","pattern":"^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$"},"pushPrivateEndpoints":{"type":"boolean","default":false,"description":"Accept push endpoints at private addresses and over plain http, for a push service of your own"},"logLevel":{"enum":["debug","info","warn","error","silent"],"description":"Least severe log line that is written, on stderr","default":"warn"}},"additionalProperties":false};
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
if((((((((((((((((((data.healthListen === undefined) && (missing0 = "healthListen")) || ((data.dataDir === undefined) && (missing0 = "dataDir"))) || ((data.tokens === undefined) && (missing0 = "tokens"))) || ((data.identity === undefined) && (missing0 = "identity"))) || ((data.admissionPolicies === undefined) && (missing0 = "admissionPolicies"))) || ((data.fourEyes === undefined) && (missing0 = "fourEyes"))) || ((data.insecure === undefined) && (missing0 = "insecure"))) || ((data.allowedHosts === undefined) && (missing0 = "allowedHosts"))) || ((data.trustedProxies === undefined) && (missing0 = "trustedProxies"))) || ((data.runtime === undefined) && (missing0 = "runtime"))) || ((data.image === undefined) && (missing0 = "image"))) || ((data.volumeRoot === undefined) && (missing0 = "volumeRoot"))) || ((data.volumeClaim === undefined) && (missing0 = "volumeClaim"))) || ((data.executionPods === undefined) && (missing0 = "executionPods"))) || ((data.gitCredentials === undefined) && (missing0 = "gitCredentials"))) || ((data.pushPrivateEndpoints === undefined) && (missing0 = "pushPrivateEndpoints"))) || ((data.logLevel === undefined) && (missing0 = "logLevel"))){
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
if(data.fourEyes !== undefined){
const _errs38 = errors;
if(typeof data.fourEyes !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/fourEyes",schemaPath:"#/properties/fourEyes/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs38 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.insecure !== undefined){
const _errs40 = errors;
if(typeof data.insecure !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/insecure",schemaPath:"#/properties/insecure/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs40 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicUrl !== undefined){
let data19 = data.publicUrl;
const _errs42 = errors;
if(errors === _errs42){
if(typeof data19 === "string"){
if(!pattern5.test(data19)){
validate10.errors = [{instancePath:instancePath+"/publicUrl",schemaPath:"#/properties/publicUrl/pattern",keyword:"pattern",params:{pattern: "^https?://"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/publicUrl",schemaPath:"#/properties/publicUrl/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs42 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.allowedHosts !== undefined){
let data20 = data.allowedHosts;
const _errs44 = errors;
if(errors === _errs44){
if(Array.isArray(data20)){
var valid7 = true;
const len2 = data20.length;
for(let i3=0; i3<len2; i3++){
const _errs46 = errors;
if(typeof data20[i3] !== "string"){
validate10.errors = [{instancePath:instancePath+"/allowedHosts/" + i3,schemaPath:"#/properties/allowedHosts/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid7 = _errs46 === errors;
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
var valid0 = _errs44 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trustedProxies !== undefined){
let data22 = data.trustedProxies;
const _errs48 = errors;
if(errors === _errs48){
if(Array.isArray(data22)){
var valid8 = true;
const len3 = data22.length;
for(let i4=0; i4<len3; i4++){
const _errs50 = errors;
if(typeof data22[i4] !== "string"){
validate10.errors = [{instancePath:instancePath+"/trustedProxies/" + i4,schemaPath:"#/properties/trustedProxies/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid8 = _errs50 === errors;
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
var valid0 = _errs48 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.allowPrivateAddresses !== undefined){
const _errs52 = errors;
if(typeof data.allowPrivateAddresses !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/allowPrivateAddresses",schemaPath:"#/properties/allowPrivateAddresses/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs52 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.workspaceRoot !== undefined){
const _errs54 = errors;
if(typeof data.workspaceRoot !== "string"){
validate10.errors = [{instancePath:instancePath+"/workspaceRoot",schemaPath:"#/properties/workspaceRoot/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs54 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scriptsDir !== undefined){
const _errs56 = errors;
if(typeof data.scriptsDir !== "string"){
validate10.errors = [{instancePath:instancePath+"/scriptsDir",schemaPath:"#/properties/scriptsDir/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs56 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.deployCommand !== undefined){
let data27 = data.deployCommand;
const _errs58 = errors;
if(errors === _errs58){
if(typeof data27 === "string"){
if(func3(data27) < 1){
validate10.errors = [{instancePath:instancePath+"/deployCommand",schemaPath:"#/properties/deployCommand/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/deployCommand",schemaPath:"#/properties/deployCommand/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs58 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.runtime !== undefined){
let data28 = data.runtime;
const _errs60 = errors;
if(!(((data28 === "auto") || (data28 === "bwrap")) || (data28 === "process"))){
validate10.errors = [{instancePath:instancePath+"/runtime",schemaPath:"#/properties/runtime/enum",keyword:"enum",params:{allowedValues: schema11.properties.runtime.enum}}];
return false;
}
var valid0 = _errs60 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.namespace !== undefined){
const _errs61 = errors;
if(typeof data.namespace !== "string"){
validate10.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs61 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.kubeconfig !== undefined){
const _errs63 = errors;
if(typeof data.kubeconfig !== "string"){
validate10.errors = [{instancePath:instancePath+"/kubeconfig",schemaPath:"#/properties/kubeconfig/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs63 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.image !== undefined){
let data31 = data.image;
const _errs65 = errors;
if(errors === _errs65){
if(typeof data31 === "string"){
if(func3(data31) < 1){
validate10.errors = [{instancePath:instancePath+"/image",schemaPath:"#/properties/image/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/image",schemaPath:"#/properties/image/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs65 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.volumeRoot !== undefined){
let data32 = data.volumeRoot;
const _errs67 = errors;
if(errors === _errs67){
if(typeof data32 === "string"){
if(!pattern4.test(data32)){
validate10.errors = [{instancePath:instancePath+"/volumeRoot",schemaPath:"#/properties/volumeRoot/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/volumeRoot",schemaPath:"#/properties/volumeRoot/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs67 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.volumeClaim !== undefined){
let data33 = data.volumeClaim;
const _errs69 = errors;
if(errors === _errs69){
if(typeof data33 === "string"){
if(func3(data33) > 253){
validate10.errors = [{instancePath:instancePath+"/volumeClaim",schemaPath:"#/properties/volumeClaim/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data33) < 1){
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
var valid0 = _errs69 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.executionPods !== undefined){
let data34 = data.executionPods;
const _errs71 = errors;
if(errors === _errs71){
if(data34 && typeof data34 == "object" && !Array.isArray(data34)){
const _errs73 = errors;
for(const key4 in data34){
if(!(func2.call(schema11.properties.executionPods.properties, key4))){
validate10.errors = [{instancePath:instancePath+"/executionPods",schemaPath:"#/properties/executionPods/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}}];
return false;
break;
}
}
if(_errs73 === errors){
if(data34.runAsUser !== undefined){
let data35 = data34.runAsUser;
const _errs74 = errors;
const _errs75 = errors;
let valid10 = false;
const _errs76 = errors;
if(!(((typeof data35 == "number") && (!(data35 % 1) && !isNaN(data35))) && (isFinite(data35)))){
const err0 = {instancePath:instancePath+"/executionPods/runAsUser",schemaPath:"#/properties/executionPods/properties/runAsUser/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(errors === _errs76){
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 > 2147483647 || isNaN(data35)){
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
if(data35 < 1 || isNaN(data35)){
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
var _valid0 = _errs76 === errors;
valid10 = valid10 || _valid0;
if(!valid10){
const _errs78 = errors;
if(data35 !== null){
const err3 = {instancePath:instancePath+"/executionPods/runAsUser",schemaPath:"#/properties/executionPods/properties/runAsUser/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var _valid0 = _errs78 === errors;
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
errors = _errs75;
if(vErrors !== null){
if(_errs75){
vErrors.length = _errs75;
}
else {
vErrors = null;
}
}
}
var valid9 = _errs74 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.resources !== undefined){
let data36 = data34.resources;
const _errs80 = errors;
if(errors === _errs80){
if(data36 && typeof data36 == "object" && !Array.isArray(data36)){
const _errs82 = errors;
for(const key5 in data36){
if(!((((key5 === "copy-runner") || (key5 === "prepare")) || (key5 === "agent")) || (key5 === "deliver"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources",schemaPath:"#/properties/executionPods/properties/resources/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}}];
return false;
break;
}
}
if(_errs82 === errors){
if(data36["copy-runner"] !== undefined){
let data37 = data36["copy-runner"];
const _errs83 = errors;
if(errors === _errs83){
if(data37 && typeof data37 == "object" && !Array.isArray(data37)){
const _errs85 = errors;
for(const key6 in data37){
if(!((key6 === "requests") || (key6 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/copy-runner",schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}}];
return false;
break;
}
}
if(_errs85 === errors){
if(data37.requests !== undefined){
let data38 = data37.requests;
const _errs86 = errors;
if(errors === _errs86){
if(data38 && typeof data38 == "object" && !Array.isArray(data38)){
var valid13 = true;
for(const key7 in data38){
if(pattern7.test(key7)){
let data39 = data38[key7];
const _errs88 = errors;
const _errs89 = errors;
let valid14 = false;
const _errs90 = errors;
if(errors === _errs90){
if(typeof data39 === "string"){
if(func3(data39) < 1){
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
var _valid1 = _errs90 === errors;
valid14 = valid14 || _valid1;
if(!valid14){
const _errs92 = errors;
if(errors === _errs92){
if((typeof data39 == "number") && (isFinite(data39))){
if(data39 < 0 || isNaN(data39)){
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
var _valid1 = _errs92 === errors;
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
errors = _errs89;
if(vErrors !== null){
if(_errs89){
vErrors.length = _errs89;
}
else {
vErrors = null;
}
}
}
var valid13 = _errs88 === errors;
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
var valid12 = _errs86 === errors;
}
else {
var valid12 = true;
}
if(valid12){
if(data37.limits !== undefined){
let data40 = data37.limits;
const _errs94 = errors;
if(errors === _errs94){
if(data40 && typeof data40 == "object" && !Array.isArray(data40)){
var valid15 = true;
for(const key8 in data40){
if(pattern7.test(key8)){
let data41 = data40[key8];
const _errs96 = errors;
const _errs97 = errors;
let valid16 = false;
const _errs98 = errors;
if(errors === _errs98){
if(typeof data41 === "string"){
if(func3(data41) < 1){
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
var _valid2 = _errs98 === errors;
valid16 = valid16 || _valid2;
if(!valid16){
const _errs100 = errors;
if(errors === _errs100){
if((typeof data41 == "number") && (isFinite(data41))){
if(data41 < 0 || isNaN(data41)){
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
var _valid2 = _errs100 === errors;
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
errors = _errs97;
if(vErrors !== null){
if(_errs97){
vErrors.length = _errs97;
}
else {
vErrors = null;
}
}
}
var valid15 = _errs96 === errors;
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
var valid12 = _errs94 === errors;
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
var valid11 = _errs83 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data36.prepare !== undefined){
let data42 = data36.prepare;
const _errs102 = errors;
if(errors === _errs102){
if(data42 && typeof data42 == "object" && !Array.isArray(data42)){
const _errs104 = errors;
for(const key9 in data42){
if(!((key9 === "requests") || (key9 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/prepare",schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}}];
return false;
break;
}
}
if(_errs104 === errors){
if(data42.requests !== undefined){
let data43 = data42.requests;
const _errs105 = errors;
if(errors === _errs105){
if(data43 && typeof data43 == "object" && !Array.isArray(data43)){
var valid18 = true;
for(const key10 in data43){
if(pattern7.test(key10)){
let data44 = data43[key10];
const _errs107 = errors;
const _errs108 = errors;
let valid19 = false;
const _errs109 = errors;
if(errors === _errs109){
if(typeof data44 === "string"){
if(func3(data44) < 1){
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
var _valid3 = _errs109 === errors;
valid19 = valid19 || _valid3;
if(!valid19){
const _errs111 = errors;
if(errors === _errs111){
if((typeof data44 == "number") && (isFinite(data44))){
if(data44 < 0 || isNaN(data44)){
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
var _valid3 = _errs111 === errors;
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
errors = _errs108;
if(vErrors !== null){
if(_errs108){
vErrors.length = _errs108;
}
else {
vErrors = null;
}
}
}
var valid18 = _errs107 === errors;
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
var valid17 = _errs105 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data42.limits !== undefined){
let data45 = data42.limits;
const _errs113 = errors;
if(errors === _errs113){
if(data45 && typeof data45 == "object" && !Array.isArray(data45)){
var valid20 = true;
for(const key11 in data45){
if(pattern7.test(key11)){
let data46 = data45[key11];
const _errs115 = errors;
const _errs116 = errors;
let valid21 = false;
const _errs117 = errors;
if(errors === _errs117){
if(typeof data46 === "string"){
if(func3(data46) < 1){
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
var _valid4 = _errs117 === errors;
valid21 = valid21 || _valid4;
if(!valid21){
const _errs119 = errors;
if(errors === _errs119){
if((typeof data46 == "number") && (isFinite(data46))){
if(data46 < 0 || isNaN(data46)){
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
var _valid4 = _errs119 === errors;
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
errors = _errs116;
if(vErrors !== null){
if(_errs116){
vErrors.length = _errs116;
}
else {
vErrors = null;
}
}
}
var valid20 = _errs115 === errors;
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
var valid17 = _errs113 === errors;
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
var valid11 = _errs102 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data36.agent !== undefined){
let data47 = data36.agent;
const _errs121 = errors;
if(errors === _errs121){
if(data47 && typeof data47 == "object" && !Array.isArray(data47)){
const _errs123 = errors;
for(const key12 in data47){
if(!((key12 === "requests") || (key12 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/agent",schemaPath:"#/properties/executionPods/properties/resources/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}}];
return false;
break;
}
}
if(_errs123 === errors){
if(data47.requests !== undefined){
let data48 = data47.requests;
const _errs124 = errors;
if(errors === _errs124){
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
var valid23 = true;
for(const key13 in data48){
if(pattern7.test(key13)){
let data49 = data48[key13];
const _errs126 = errors;
const _errs127 = errors;
let valid24 = false;
const _errs128 = errors;
if(errors === _errs128){
if(typeof data49 === "string"){
if(func3(data49) < 1){
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
var _valid5 = _errs128 === errors;
valid24 = valid24 || _valid5;
if(!valid24){
const _errs130 = errors;
if(errors === _errs130){
if((typeof data49 == "number") && (isFinite(data49))){
if(data49 < 0 || isNaN(data49)){
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
var _valid5 = _errs130 === errors;
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
errors = _errs127;
if(vErrors !== null){
if(_errs127){
vErrors.length = _errs127;
}
else {
vErrors = null;
}
}
}
var valid23 = _errs126 === errors;
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
var valid22 = _errs124 === errors;
}
else {
var valid22 = true;
}
if(valid22){
if(data47.limits !== undefined){
let data50 = data47.limits;
const _errs132 = errors;
if(errors === _errs132){
if(data50 && typeof data50 == "object" && !Array.isArray(data50)){
var valid25 = true;
for(const key14 in data50){
if(pattern7.test(key14)){
let data51 = data50[key14];
const _errs134 = errors;
const _errs135 = errors;
let valid26 = false;
const _errs136 = errors;
if(errors === _errs136){
if(typeof data51 === "string"){
if(func3(data51) < 1){
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
var _valid6 = _errs136 === errors;
valid26 = valid26 || _valid6;
if(!valid26){
const _errs138 = errors;
if(errors === _errs138){
if((typeof data51 == "number") && (isFinite(data51))){
if(data51 < 0 || isNaN(data51)){
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
var _valid6 = _errs138 === errors;
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
errors = _errs135;
if(vErrors !== null){
if(_errs135){
vErrors.length = _errs135;
}
else {
vErrors = null;
}
}
}
var valid25 = _errs134 === errors;
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
var valid22 = _errs132 === errors;
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
var valid11 = _errs121 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data36.deliver !== undefined){
let data52 = data36.deliver;
const _errs140 = errors;
if(errors === _errs140){
if(data52 && typeof data52 == "object" && !Array.isArray(data52)){
const _errs142 = errors;
for(const key15 in data52){
if(!((key15 === "requests") || (key15 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/deliver",schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key15}}];
return false;
break;
}
}
if(_errs142 === errors){
if(data52.requests !== undefined){
let data53 = data52.requests;
const _errs143 = errors;
if(errors === _errs143){
if(data53 && typeof data53 == "object" && !Array.isArray(data53)){
var valid28 = true;
for(const key16 in data53){
if(pattern7.test(key16)){
let data54 = data53[key16];
const _errs145 = errors;
const _errs146 = errors;
let valid29 = false;
const _errs147 = errors;
if(errors === _errs147){
if(typeof data54 === "string"){
if(func3(data54) < 1){
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
var _valid7 = _errs147 === errors;
valid29 = valid29 || _valid7;
if(!valid29){
const _errs149 = errors;
if(errors === _errs149){
if((typeof data54 == "number") && (isFinite(data54))){
if(data54 < 0 || isNaN(data54)){
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
var _valid7 = _errs149 === errors;
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
errors = _errs146;
if(vErrors !== null){
if(_errs146){
vErrors.length = _errs146;
}
else {
vErrors = null;
}
}
}
var valid28 = _errs145 === errors;
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
var valid27 = _errs143 === errors;
}
else {
var valid27 = true;
}
if(valid27){
if(data52.limits !== undefined){
let data55 = data52.limits;
const _errs151 = errors;
if(errors === _errs151){
if(data55 && typeof data55 == "object" && !Array.isArray(data55)){
var valid30 = true;
for(const key17 in data55){
if(pattern7.test(key17)){
let data56 = data55[key17];
const _errs153 = errors;
const _errs154 = errors;
let valid31 = false;
const _errs155 = errors;
if(errors === _errs155){
if(typeof data56 === "string"){
if(func3(data56) < 1){
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
var _valid8 = _errs155 === errors;
valid31 = valid31 || _valid8;
if(!valid31){
const _errs157 = errors;
if(errors === _errs157){
if((typeof data56 == "number") && (isFinite(data56))){
if(data56 < 0 || isNaN(data56)){
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
var _valid8 = _errs157 === errors;
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
errors = _errs154;
if(vErrors !== null){
if(_errs154){
vErrors.length = _errs154;
}
else {
vErrors = null;
}
}
}
var valid30 = _errs153 === errors;
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
var valid27 = _errs151 === errors;
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
var valid11 = _errs140 === errors;
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
var valid9 = _errs80 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.tmpSizeLimit !== undefined){
let data57 = data34.tmpSizeLimit;
const _errs159 = errors;
if(errors === _errs159){
if(typeof data57 === "string"){
if(func3(data57) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/tmpSizeLimit",schemaPath:"#/properties/executionPods/properties/tmpSizeLimit/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/tmpSizeLimit",schemaPath:"#/properties/executionPods/properties/tmpSizeLimit/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid9 = _errs159 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.jobLabels !== undefined){
let data58 = data34.jobLabels;
const _errs161 = errors;
if(errors === _errs161){
if(data58 && typeof data58 == "object" && !Array.isArray(data58)){
var valid32 = true;
for(const key18 in data58){
if(pattern7.test(key18)){
const _errs163 = errors;
if(typeof data58[key18] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/jobLabels/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/jobLabels/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid32 = _errs163 === errors;
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
var valid9 = _errs161 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.labels !== undefined){
let data60 = data34.labels;
const _errs165 = errors;
if(errors === _errs165){
if(data60 && typeof data60 == "object" && !Array.isArray(data60)){
var valid33 = true;
for(const key19 in data60){
if(pattern7.test(key19)){
const _errs167 = errors;
if(typeof data60[key19] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/labels/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/labels/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid33 = _errs167 === errors;
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
var valid9 = _errs165 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.annotations !== undefined){
let data62 = data34.annotations;
const _errs169 = errors;
if(errors === _errs169){
if(data62 && typeof data62 == "object" && !Array.isArray(data62)){
var valid34 = true;
for(const key20 in data62){
if(pattern7.test(key20)){
const _errs171 = errors;
if(typeof data62[key20] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/annotations/" + key20.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/annotations/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid34 = _errs171 === errors;
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
var valid9 = _errs169 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.nodeSelector !== undefined){
let data64 = data34.nodeSelector;
const _errs173 = errors;
if(errors === _errs173){
if(data64 && typeof data64 == "object" && !Array.isArray(data64)){
var valid35 = true;
for(const key21 in data64){
if(pattern7.test(key21)){
const _errs175 = errors;
if(typeof data64[key21] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/nodeSelector/" + key21.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/nodeSelector/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid35 = _errs175 === errors;
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
var valid9 = _errs173 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.tolerations !== undefined){
let data66 = data34.tolerations;
const _errs177 = errors;
if(errors === _errs177){
if(Array.isArray(data66)){
if(data66.length > 20){
validate10.errors = [{instancePath:instancePath+"/executionPods/tolerations",schemaPath:"#/properties/executionPods/properties/tolerations/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid36 = true;
const len4 = data66.length;
for(let i5=0; i5<len4; i5++){
let data67 = data66[i5];
const _errs179 = errors;
if(errors === _errs179){
if(!(data67 && typeof data67 == "object" && !Array.isArray(data67))){
validate10.errors = [{instancePath:instancePath+"/executionPods/tolerations/" + i5,schemaPath:"#/properties/executionPods/properties/tolerations/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid36 = _errs179 === errors;
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
var valid9 = _errs177 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.affinity !== undefined){
let data68 = data34.affinity;
const _errs181 = errors;
if(errors === _errs181){
if(!(data68 && typeof data68 == "object" && !Array.isArray(data68))){
validate10.errors = [{instancePath:instancePath+"/executionPods/affinity",schemaPath:"#/properties/executionPods/properties/affinity/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid9 = _errs181 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.priorityClassName !== undefined){
let data69 = data34.priorityClassName;
const _errs183 = errors;
if(errors === _errs183){
if(typeof data69 === "string"){
if(func3(data69) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/priorityClassName",schemaPath:"#/properties/executionPods/properties/priorityClassName/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/priorityClassName",schemaPath:"#/properties/executionPods/properties/priorityClassName/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid9 = _errs183 === errors;
}
else {
var valid9 = true;
}
if(valid9){
if(data34.imagePullSecrets !== undefined){
let data70 = data34.imagePullSecrets;
const _errs185 = errors;
if(errors === _errs185){
if(Array.isArray(data70)){
if(data70.length > 20){
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets",schemaPath:"#/properties/executionPods/properties/imagePullSecrets/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid37 = true;
const len5 = data70.length;
for(let i6=0; i6<len5; i6++){
let data71 = data70[i6];
const _errs187 = errors;
if(errors === _errs187){
if(typeof data71 === "string"){
if(func3(data71) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets/" + i6,schemaPath:"#/properties/executionPods/properties/imagePullSecrets/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets/" + i6,schemaPath:"#/properties/executionPods/properties/imagePullSecrets/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid37 = _errs187 === errors;
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
var valid9 = _errs185 === errors;
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
var valid0 = _errs71 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gitCredentials !== undefined){
let data72 = data.gitCredentials;
const _errs189 = errors;
if(errors === _errs189){
if(Array.isArray(data72)){
var valid38 = true;
const len6 = data72.length;
for(let i7=0; i7<len6; i7++){
let data73 = data72[i7];
const _errs191 = errors;
if(errors === _errs191){
if(data73 && typeof data73 == "object" && !Array.isArray(data73)){
let missing3;
if(((data73.host === undefined) && (missing3 = "host")) || ((data73.secretName === undefined) && (missing3 = "secretName"))){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7,schemaPath:"#/properties/gitCredentials/items/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
const _errs193 = errors;
for(const key22 in data73){
if(!((key22 === "host") || (key22 === "secretName"))){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7,schemaPath:"#/properties/gitCredentials/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key22}}];
return false;
break;
}
}
if(_errs193 === errors){
if(data73.host !== undefined){
let data74 = data73.host;
const _errs194 = errors;
if(errors === _errs194){
if(typeof data74 === "string"){
if(!pattern19.test(data74)){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7+"/host",schemaPath:"#/properties/gitCredentials/items/properties/host/pattern",keyword:"pattern",params:{pattern: "^(?:(https?|ssh)://)?(\\[[0-9a-f:.]+\\]|[^/:@[\\]\\s]+)(?::(\\d{1,5}))?/?$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7+"/host",schemaPath:"#/properties/gitCredentials/items/properties/host/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid39 = _errs194 === errors;
}
else {
var valid39 = true;
}
if(valid39){
if(data73.secretName !== undefined){
let data75 = data73.secretName;
const _errs196 = errors;
if(errors === _errs196){
if(typeof data75 === "string"){
if(func3(data75) > 253){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i7+"/secretName",schemaPath:"#/properties/gitCredentials/items/properties/secretName/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data75) < 1){
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
var valid39 = _errs196 === errors;
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
var valid38 = _errs191 === errors;
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
var valid0 = _errs189 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vapidPrivateKey !== undefined){
let data76 = data.vapidPrivateKey;
const _errs198 = errors;
if(errors === _errs198){
if(typeof data76 === "string"){
if(!pattern20.test(data76)){
validate10.errors = [{instancePath:instancePath+"/vapidPrivateKey",schemaPath:"#/properties/vapidPrivateKey/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{43}$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/vapidPrivateKey",schemaPath:"#/properties/vapidPrivateKey/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs198 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vapidSubject !== undefined){
let data77 = data.vapidSubject;
const _errs200 = errors;
if(errors === _errs200){
if(typeof data77 === "string"){
if(!pattern21.test(data77)){
validate10.errors = [{instancePath:instancePath+"/vapidSubject",schemaPath:"#/properties/vapidSubject/pattern",keyword:"pattern",params:{pattern: "^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/vapidSubject",schemaPath:"#/properties/vapidSubject/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs200 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pushPrivateEndpoints !== undefined){
const _errs202 = errors;
if(typeof data.pushPrivateEndpoints !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/pushPrivateEndpoints",schemaPath:"#/properties/pushPrivateEndpoints/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs202 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logLevel !== undefined){
let data79 = data.logLevel;
const _errs204 = errors;
if(!(((((data79 === "debug") || (data79 === "info")) || (data79 === "warn")) || (data79 === "error")) || (data79 === "silent"))){
validate10.errors = [{instancePath:instancePath+"/logLevel",schemaPath:"#/properties/logLevel/enum",keyword:"enum",params:{allowedValues: schema11.properties.logLevel.enum}}];
return false;
}
var valid0 = _errs204 === errors;
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
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}
