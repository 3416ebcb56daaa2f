// Generated from the schema of lib/config.ts by tools/generate.ts; do not edit.
// @ts-nocheck: types stand at the exports alone.
/* oxlint-disable */
import type { ValidateFunction } from 'ajv'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import equal from 'ajv/dist/runtime/equal.js'
export const isConfig: ValidateFunction = validate10;
const schema11 = {"type":"object","required":["healthListen","dataDir","tokens","identity","admissionPolicies","fourEyes","branchPrefix","insecure","allowedHosts","trustedProxies","runtime","toolFolders","image","volumeRoot","volumeClaim","executionPods","gitCredentials","maxPushSize","retention","pushPrivateEndpoints","logLevel","logFormat"],"properties":{"listen":{"type":"string","description":"Address and port of the API server; default 127.0.0.1:8080, or the next free port when that one is taken","pattern":"^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"},"metricsListen":{"type":"string","description":"Address and port of the Prometheus metrics, which ask for no token; default none are shown","pattern":"^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"},"healthListen":{"type":"string","default":"0.0.0.0:8081","description":"Address and port of /healthz and /readyz of `slipway operator`, which ask for no token; off: none","pattern":"^(off|0)$|^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$"},"dataDir":{"type":"string","default":".slipway","description":"Folder of everything that Slipway keeps on this machine","minLength":1},"token":{"type":"string","description":"Bearer token that API and WebSocket clients must present; none: open on loopback","minLength":8,"writeOnly":true},"webhookSecret":{"type":"string","description":"Key of the signature that incoming webhooks must carry; none: they need the token where one is set","minLength":8,"writeOnly":true},"tokens":{"type":"array","items":{"type":"object","required":["name","scopes"],"properties":{"name":{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9_.@-]{0,62}$"},"token":{"type":"string","minLength":8,"writeOnly":true},"tokenFile":{"type":"string","pattern":"^/"},"scopes":{"type":"array","items":{"enum":["read","decide","admin"]},"minItems":1,"uniqueItems":true}},"additionalProperties":false},"default":[],"description":"Tokens with names and scopes, as YAML or JSON: [{name, token or tokenFile, scopes}]"},"identity":{"type":"object","properties":{"kubernetes":{"type":"object","required":["audience"],"properties":{"audience":{"type":"string","minLength":1,"maxLength":253}},"additionalProperties":false},"oidc":{"type":"object","required":["issuer","clientId"],"properties":{"issuer":{"type":"string","pattern":"^https?://"},"clientId":{"type":"string","minLength":1,"maxLength":512},"clientSecretFile":{"type":"string","pattern":"^/"},"name":{"type":"string","minLength":1,"maxLength":60},"scopes":{"type":"array","items":{"type":"string","pattern":"^[!#-\\[\\]-~]+$"},"uniqueItems":true},"usernameClaim":{"type":"string","minLength":1,"maxLength":253},"usernamePrefix":{"type":"string","maxLength":253},"groupsClaim":{"type":"string","minLength":1,"maxLength":253},"groupsPrefix":{"type":"string","maxLength":253},"caBundle":{"type":"string","pattern":"^/"},"sessionKeyFile":{"type":"string","pattern":"^/"},"sessionMinutes":{"type":"integer","minimum":1,"maximum":10080},"roles":{"type":"array","items":{"type":"object","required":["scopes"],"properties":{"user":{"type":"string","minLength":1,"maxLength":253},"group":{"type":"string","minLength":1,"maxLength":253},"scopes":{"type":"array","items":{"enum":["read","decide","admin"]},"minItems":1,"uniqueItems":true}},"additionalProperties":false}}},"additionalProperties":false}},"additionalProperties":false,"default":{},"description":"Ways to sign in beside tokens, as YAML or JSON: {kubernetes: {audience}} accepts tokens of the cluster for that audience, {oidc: {issuer, clientId, …}} lets people sign in with OpenID Connect"},"admissionPolicies":{"type":"boolean","default":false,"description":"The chart's admission policies are in force in the namespace: names in slipway.dev/by are proven and recorded"},"fourEyes":{"type":"boolean","default":false,"description":"Who authored a task or story may not accept it; needs admissionPolicies"},"branchPrefix":{"type":"string","default":"slipway/","description":"What the branch of a task without a story begins with, before the name of the task; tasks that have pushed keep theirs","minLength":1,"maxLength":100},"insecure":{"type":"boolean","default":false,"description":"Listen beyond loopback although no token is set"},"publicUrl":{"type":"string","description":"URL that people reach the server under","pattern":"^https?://"},"allowedHosts":{"type":"array","items":{"type":"string"},"default":[],"description":"Host names accepted besides loopback and publicUrl; *.example.com: every name below example.com"},"trustedProxies":{"type":"array","items":{"type":"string"},"default":[],"description":"Addresses and CIDR ranges of reverse proxies whose X-Forwarded-For is believed"},"allowPrivateAddresses":{"type":"boolean","description":"Let deployment status read commit URLs and public repositories on this machine and private networks; default true embedded, false in a cluster"},"workspaceRoot":{"type":"string","description":"Folder whose sub-folders GET /api/workspaces lists; default /workspace, embedded <dataDir>/workspace"},"scriptsDir":{"type":"string","description":"Folder with the scripts that POST /api/scripts/{name} runs; none: the built-in ones only"},"deployCommand":{"type":"string","description":"Shell command that the script deploy runs; none: 409","minLength":1},"runtime":{"enum":["auto","bwrap","process"],"description":"How the embedded node runs containers: in a bubblewrap sandbox, or as plain processes that isolate nothing. auto takes bubblewrap where it works, else plain processes for the script agent only","default":"auto"},"toolFolders":{"type":"array","items":{"type":"string","pattern":"^/"},"default":[],"description":"Folders with tools, such as ~/.cargo/bin as an absolute path, that sandboxes of the embedded node show read-only; slipway doctor says which are missing"},"namespace":{"type":"string","description":"Namespace to serve; default that of the kubeconfig context, else default"},"kubeconfig":{"type":"string","description":"Use the cluster of this kubeconfig in place of the embedded control plane"},"image":{"type":"string","default":"slipway:latest","description":"Image of Slipway that Jobs on a cluster run","minLength":1},"volumeRoot":{"type":"string","default":"/slipway","description":"Where the data volume is mounted in a cluster","pattern":"^/"},"volumeClaim":{"type":"string","default":"slipway-data","description":"PersistentVolumeClaim of the namespace that is the data volume in a cluster","minLength":1,"maxLength":253},"executionPods":{"type":"object","properties":{"runAsUser":{"anyOf":[{"type":"integer","minimum":1,"maximum":2147483647},{"type":"null"}]},"resources":{"type":"object","properties":{"copy-runner":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false},"prepare":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false},"agent":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false},"deliver":{"type":"object","properties":{"requests":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}},"limits":{"type":"object","patternProperties":{"^.*$":{"anyOf":[{"type":"string","minLength":1},{"type":"number","minimum":0}]}}}},"additionalProperties":false}},"additionalProperties":false,"description":"Of each container by its name; what an Agent says of agent wins"},"env":{"type":"array","items":{"type":"object","required":["name","value"],"properties":{"name":{"type":"string","pattern":"^[A-Za-z_][A-Za-z0-9_]*$","maxLength":253},"value":{"type":"string"}},"additionalProperties":false},"maxItems":100},"caBundle":{"type":"object","required":["configMap","key"],"properties":{"configMap":{"type":"string","minLength":1,"maxLength":253},"key":{"type":"string","pattern":"^[-._a-zA-Z0-9]{1,253}$"}},"additionalProperties":false},"tmpSizeLimit":{"type":"string","minLength":1,"description":"Largest size of /tmp of all steps together"},"jobLabels":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Labels added to the Jobs, such as the queue of Kueue"},"labels":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Labels added to the pods"},"annotations":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Annotations added to the pods"},"nodeSelector":{"type":"object","patternProperties":{"^.*$":{"type":"string"}},"description":"Labels that a node must carry; an Agent may add others"},"tolerations":{"type":"array","items":{"type":"object","properties":{}},"maxItems":20},"affinity":{"type":"object","properties":{},"description":"Each kind of affinity; an Agent may add others"},"priorityClassName":{"type":"string","minLength":1,"description":"Unless the Agent names another"},"imagePullSecrets":{"type":"array","items":{"type":"string","minLength":1},"maxItems":20}},"additionalProperties":false,"default":{},"description":"Resources, user, variables, certificates, labels and placement of the pods that executions run in, as YAML or JSON; on one machine env and caBundle count"},"gitCredentials":{"type":"array","items":{"type":"object","required":["host","secretName"],"properties":{"host":{"type":"string","pattern":"^(?:(https?|ssh)://)?(\\[[0-9a-f:.]+\\]|[^/:@[\\]\\s]+)(?::(\\d{1,5}))?/?$"},"secretName":{"type":"string","minLength":1,"maxLength":253}},"additionalProperties":false},"default":[],"description":"Secrets with the credentials of git hosts, for repositories whose project names none, as YAML or JSON: [{host, secretName}]"},"maxPushSize":{"type":"string","default":"1Gi","description":"Most that one push of an execution may send, and that one file in it may hold, such as 500Mi","pattern":"^[1-9][0-9]{0,11}(k|Ki|M|Mi|G|Gi)?$"},"retention":{"type":"object","properties":{"closedDays":{"type":"integer","minimum":1,"maximum":36500,"description":"Of tasks that are COMPLETED or CANCELLED; default 30"},"closedCount":{"type":"integer","minimum":0,"maximum":1000000,"description":"The same, at most so many of a namespace; default 5000"},"failedDays":{"type":"integer","minimum":1,"maximum":36500,"description":"Of tasks that FAILED, TIMED_OUT or exceeded their budget; default 90"},"failedCount":{"type":"integer","minimum":0,"maximum":1000000,"description":"The same, at most so many of a namespace; default 5000"},"archiveDays":{"type":"integer","minimum":31,"maximum":36500,"description":"Of records in the archive, with logs and diffs; default for ever"},"archiveCount":{"type":"integer","minimum":0,"maximum":1000000,"description":"The same, at most so many of a namespace; default all"}},"additionalProperties":false,"default":{},"description":"When finished tasks leave the cluster for the archive on the data volume, as YAML or JSON: {closedDays: 30, closedCount: 5000, failedDays: 90, failedCount: 5000}, and, with archiveDays and archiveCount, the archive for good"},"vapidPrivateKey":{"type":"string","description":"Private key that push services know this server by (32 bytes, base64url); made at the first start and stored here or, in a cluster, in a Secret","pattern":"^[A-Za-z0-9_-]{43}$","writeOnly":true},"vapidSubject":{"type":"string","description":"How operators of push services can reach you, a mailto: or https: URL; default publicUrl where it is https","pattern":"^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$"},"pushPrivateEndpoints":{"type":"boolean","default":false,"description":"Accept push endpoints at private addresses and over plain http, for a push service of your own"},"logLevel":{"enum":["debug","info","warn","error","silent"],"description":"Least severe log line that is written, on stderr","default":"warn"},"logFormat":{"enum":["auto","pretty","json"],"description":"Form of log lines: for people (pretty) or programs (json); auto takes pretty on a terminal","default":"auto"}},"additionalProperties":false};
const func2 = Object.prototype.hasOwnProperty;
const func3 = ucs2length.default;
const func0 = equal.default;
const pattern0 = new RegExp("^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$", "u");
const pattern2 = new RegExp("^(off|0)$|^(\\[[0-9a-fA-F:]+\\]|[^:\\s]+):[0-9]{1,5}$", "u");
const pattern3 = new RegExp("^[A-Za-z0-9][A-Za-z0-9_.@-]{0,62}$", "u");
const pattern4 = new RegExp("^/", "u");
const pattern5 = new RegExp("^https?://", "u");
const pattern7 = new RegExp("^[!#-\\[\\]-~]+$", "u");
const pattern13 = new RegExp("^.*$", "u");
const pattern21 = new RegExp("^[A-Za-z_][A-Za-z0-9_]*$", "u");
const pattern22 = new RegExp("^[-._a-zA-Z0-9]{1,253}$", "u");
const pattern27 = new RegExp("^(?:(https?|ssh)://)?(\\[[0-9a-f:.]+\\]|[^/:@[\\]\\s]+)(?::(\\d{1,5}))?/?$", "u");
const pattern28 = new RegExp("^[1-9][0-9]{0,11}(k|Ki|M|Mi|G|Gi)?$", "u");
const pattern29 = new RegExp("^[A-Za-z0-9_-]{43}$", "u");
const pattern30 = new RegExp("^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((((((((((((((((data.healthListen === undefined) && (missing0 = "healthListen")) || ((data.dataDir === undefined) && (missing0 = "dataDir"))) || ((data.tokens === undefined) && (missing0 = "tokens"))) || ((data.identity === undefined) && (missing0 = "identity"))) || ((data.admissionPolicies === undefined) && (missing0 = "admissionPolicies"))) || ((data.fourEyes === undefined) && (missing0 = "fourEyes"))) || ((data.branchPrefix === undefined) && (missing0 = "branchPrefix"))) || ((data.insecure === undefined) && (missing0 = "insecure"))) || ((data.allowedHosts === undefined) && (missing0 = "allowedHosts"))) || ((data.trustedProxies === undefined) && (missing0 = "trustedProxies"))) || ((data.runtime === undefined) && (missing0 = "runtime"))) || ((data.toolFolders === undefined) && (missing0 = "toolFolders"))) || ((data.image === undefined) && (missing0 = "image"))) || ((data.volumeRoot === undefined) && (missing0 = "volumeRoot"))) || ((data.volumeClaim === undefined) && (missing0 = "volumeClaim"))) || ((data.executionPods === undefined) && (missing0 = "executionPods"))) || ((data.gitCredentials === undefined) && (missing0 = "gitCredentials"))) || ((data.maxPushSize === undefined) && (missing0 = "maxPushSize"))) || ((data.retention === undefined) && (missing0 = "retention"))) || ((data.pushPrivateEndpoints === undefined) && (missing0 = "pushPrivateEndpoints"))) || ((data.logLevel === undefined) && (missing0 = "logLevel"))) || ((data.logFormat === undefined) && (missing0 = "logFormat"))){
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
if(!((key2 === "kubernetes") || (key2 === "oidc"))){
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
var valid5 = _errs31 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data13.oidc !== undefined){
let data16 = data13.oidc;
const _errs36 = errors;
if(errors === _errs36){
if(data16 && typeof data16 == "object" && !Array.isArray(data16)){
let missing3;
if(((data16.issuer === undefined) && (missing3 = "issuer")) || ((data16.clientId === undefined) && (missing3 = "clientId"))){
validate10.errors = [{instancePath:instancePath+"/identity/oidc",schemaPath:"#/properties/identity/properties/oidc/required",keyword:"required",params:{missingProperty: missing3}}];
return false;
}
else {
const _errs38 = errors;
for(const key4 in data16){
if(!(func2.call(schema11.properties.identity.properties.oidc.properties, key4))){
validate10.errors = [{instancePath:instancePath+"/identity/oidc",schemaPath:"#/properties/identity/properties/oidc/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}}];
return false;
break;
}
}
if(_errs38 === errors){
if(data16.issuer !== undefined){
let data17 = data16.issuer;
const _errs39 = errors;
if(errors === _errs39){
if(typeof data17 === "string"){
if(!pattern5.test(data17)){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/issuer",schemaPath:"#/properties/identity/properties/oidc/properties/issuer/pattern",keyword:"pattern",params:{pattern: "^https?://"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/issuer",schemaPath:"#/properties/identity/properties/oidc/properties/issuer/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs39 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.clientId !== undefined){
let data18 = data16.clientId;
const _errs41 = errors;
if(errors === _errs41){
if(typeof data18 === "string"){
if(func3(data18) > 512){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/clientId",schemaPath:"#/properties/identity/properties/oidc/properties/clientId/maxLength",keyword:"maxLength",params:{limit: 512}}];
return false;
}
else {
if(func3(data18) < 1){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/clientId",schemaPath:"#/properties/identity/properties/oidc/properties/clientId/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/clientId",schemaPath:"#/properties/identity/properties/oidc/properties/clientId/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs41 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.clientSecretFile !== undefined){
let data19 = data16.clientSecretFile;
const _errs43 = errors;
if(errors === _errs43){
if(typeof data19 === "string"){
if(!pattern4.test(data19)){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/clientSecretFile",schemaPath:"#/properties/identity/properties/oidc/properties/clientSecretFile/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/clientSecretFile",schemaPath:"#/properties/identity/properties/oidc/properties/clientSecretFile/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs43 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.name !== undefined){
let data20 = data16.name;
const _errs45 = errors;
if(errors === _errs45){
if(typeof data20 === "string"){
if(func3(data20) > 60){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/name",schemaPath:"#/properties/identity/properties/oidc/properties/name/maxLength",keyword:"maxLength",params:{limit: 60}}];
return false;
}
else {
if(func3(data20) < 1){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/name",schemaPath:"#/properties/identity/properties/oidc/properties/name/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/name",schemaPath:"#/properties/identity/properties/oidc/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs45 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.scopes !== undefined){
let data21 = data16.scopes;
const _errs47 = errors;
if(errors === _errs47){
if(Array.isArray(data21)){
var valid8 = true;
const len2 = data21.length;
for(let i3=0; i3<len2; i3++){
let data22 = data21[i3];
const _errs49 = errors;
if(errors === _errs49){
if(typeof data22 === "string"){
if(!pattern7.test(data22)){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/scopes/" + i3,schemaPath:"#/properties/identity/properties/oidc/properties/scopes/items/pattern",keyword:"pattern",params:{pattern: "^[!#-\\[\\]-~]+$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/scopes/" + i3,schemaPath:"#/properties/identity/properties/oidc/properties/scopes/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid8 = _errs49 === errors;
if(!valid8){
break;
}
}
if(valid8){
let i4 = data21.length;
let j1;
if(i4 > 1){
const indices0 = {};
for(;i4--;){
let item0 = data21[i4];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j1 = indices0[item0];
validate10.errors = [{instancePath:instancePath+"/identity/oidc/scopes",schemaPath:"#/properties/identity/properties/oidc/properties/scopes/uniqueItems",keyword:"uniqueItems",params:{i: i4, j: j1}}];
return false;
break;
}
indices0[item0] = i4;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/scopes",schemaPath:"#/properties/identity/properties/oidc/properties/scopes/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid7 = _errs47 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.usernameClaim !== undefined){
let data23 = data16.usernameClaim;
const _errs51 = errors;
if(errors === _errs51){
if(typeof data23 === "string"){
if(func3(data23) > 253){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/usernameClaim",schemaPath:"#/properties/identity/properties/oidc/properties/usernameClaim/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data23) < 1){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/usernameClaim",schemaPath:"#/properties/identity/properties/oidc/properties/usernameClaim/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/usernameClaim",schemaPath:"#/properties/identity/properties/oidc/properties/usernameClaim/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs51 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.usernamePrefix !== undefined){
let data24 = data16.usernamePrefix;
const _errs53 = errors;
if(errors === _errs53){
if(typeof data24 === "string"){
if(func3(data24) > 253){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/usernamePrefix",schemaPath:"#/properties/identity/properties/oidc/properties/usernamePrefix/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/usernamePrefix",schemaPath:"#/properties/identity/properties/oidc/properties/usernamePrefix/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs53 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.groupsClaim !== undefined){
let data25 = data16.groupsClaim;
const _errs55 = errors;
if(errors === _errs55){
if(typeof data25 === "string"){
if(func3(data25) > 253){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/groupsClaim",schemaPath:"#/properties/identity/properties/oidc/properties/groupsClaim/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data25) < 1){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/groupsClaim",schemaPath:"#/properties/identity/properties/oidc/properties/groupsClaim/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/groupsClaim",schemaPath:"#/properties/identity/properties/oidc/properties/groupsClaim/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs55 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.groupsPrefix !== undefined){
let data26 = data16.groupsPrefix;
const _errs57 = errors;
if(errors === _errs57){
if(typeof data26 === "string"){
if(func3(data26) > 253){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/groupsPrefix",schemaPath:"#/properties/identity/properties/oidc/properties/groupsPrefix/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/groupsPrefix",schemaPath:"#/properties/identity/properties/oidc/properties/groupsPrefix/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs57 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.caBundle !== undefined){
let data27 = data16.caBundle;
const _errs59 = errors;
if(errors === _errs59){
if(typeof data27 === "string"){
if(!pattern4.test(data27)){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/caBundle",schemaPath:"#/properties/identity/properties/oidc/properties/caBundle/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/caBundle",schemaPath:"#/properties/identity/properties/oidc/properties/caBundle/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs59 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.sessionKeyFile !== undefined){
let data28 = data16.sessionKeyFile;
const _errs61 = errors;
if(errors === _errs61){
if(typeof data28 === "string"){
if(!pattern4.test(data28)){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/sessionKeyFile",schemaPath:"#/properties/identity/properties/oidc/properties/sessionKeyFile/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/sessionKeyFile",schemaPath:"#/properties/identity/properties/oidc/properties/sessionKeyFile/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid7 = _errs61 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.sessionMinutes !== undefined){
let data29 = data16.sessionMinutes;
const _errs63 = errors;
if(!(((typeof data29 == "number") && (!(data29 % 1) && !isNaN(data29))) && (isFinite(data29)))){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/sessionMinutes",schemaPath:"#/properties/identity/properties/oidc/properties/sessionMinutes/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs63){
if((typeof data29 == "number") && (isFinite(data29))){
if(data29 > 10080 || isNaN(data29)){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/sessionMinutes",schemaPath:"#/properties/identity/properties/oidc/properties/sessionMinutes/maximum",keyword:"maximum",params:{comparison: "<=", limit: 10080}}];
return false;
}
else {
if(data29 < 1 || isNaN(data29)){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/sessionMinutes",schemaPath:"#/properties/identity/properties/oidc/properties/sessionMinutes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid7 = _errs63 === errors;
}
else {
var valid7 = true;
}
if(valid7){
if(data16.roles !== undefined){
let data30 = data16.roles;
const _errs65 = errors;
if(errors === _errs65){
if(Array.isArray(data30)){
var valid10 = true;
const len3 = data30.length;
for(let i5=0; i5<len3; i5++){
let data31 = data30[i5];
const _errs67 = errors;
if(errors === _errs67){
if(data31 && typeof data31 == "object" && !Array.isArray(data31)){
let missing4;
if((data31.scopes === undefined) && (missing4 = "scopes")){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5,schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/required",keyword:"required",params:{missingProperty: missing4}}];
return false;
}
else {
const _errs69 = errors;
for(const key5 in data31){
if(!(((key5 === "user") || (key5 === "group")) || (key5 === "scopes"))){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5,schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key5}}];
return false;
break;
}
}
if(_errs69 === errors){
if(data31.user !== undefined){
let data32 = data31.user;
const _errs70 = errors;
if(errors === _errs70){
if(typeof data32 === "string"){
if(func3(data32) > 253){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/user",schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/user/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data32) < 1){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/user",schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/user/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/user",schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/user/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid11 = _errs70 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data31.group !== undefined){
let data33 = data31.group;
const _errs72 = errors;
if(errors === _errs72){
if(typeof data33 === "string"){
if(func3(data33) > 253){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/group",schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/group/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data33) < 1){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/group",schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/group/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/group",schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/group/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid11 = _errs72 === errors;
}
else {
var valid11 = true;
}
if(valid11){
if(data31.scopes !== undefined){
let data34 = data31.scopes;
const _errs74 = errors;
if(errors === _errs74){
if(Array.isArray(data34)){
if(data34.length < 1){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/scopes",schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/scopes/minItems",keyword:"minItems",params:{limit: 1}}];
return false;
}
else {
var valid12 = true;
const len4 = data34.length;
for(let i6=0; i6<len4; i6++){
let data35 = data34[i6];
const _errs76 = errors;
if(!(((data35 === "read") || (data35 === "decide")) || (data35 === "admin"))){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/scopes/" + i6,schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/scopes/items/enum",keyword:"enum",params:{allowedValues: schema11.properties.identity.properties.oidc.properties.roles.items.properties.scopes.items.enum}}];
return false;
}
var valid12 = _errs76 === errors;
if(!valid12){
break;
}
}
if(valid12){
let i7 = data34.length;
let j2;
if(i7 > 1){
outer1:
for(;i7--;){
for(j2 = i7; j2--;){
if(func0(data34[i7], data34[j2])){
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/scopes",schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/scopes/uniqueItems",keyword:"uniqueItems",params:{i: i7, j: j2}}];
return false;
break outer1;
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5+"/scopes",schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/properties/scopes/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid11 = _errs74 === errors;
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
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles/" + i5,schemaPath:"#/properties/identity/properties/oidc/properties/roles/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid10 = _errs67 === errors;
if(!valid10){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/identity/oidc/roles",schemaPath:"#/properties/identity/properties/oidc/properties/roles/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid7 = _errs65 === errors;
}
else {
var valid7 = true;
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
validate10.errors = [{instancePath:instancePath+"/identity/oidc",schemaPath:"#/properties/identity/properties/oidc/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid5 = _errs36 === errors;
}
else {
var valid5 = true;
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
const _errs77 = errors;
if(typeof data.admissionPolicies !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/admissionPolicies",schemaPath:"#/properties/admissionPolicies/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs77 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.fourEyes !== undefined){
const _errs79 = errors;
if(typeof data.fourEyes !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/fourEyes",schemaPath:"#/properties/fourEyes/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs79 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.branchPrefix !== undefined){
let data38 = data.branchPrefix;
const _errs81 = errors;
if(errors === _errs81){
if(typeof data38 === "string"){
if(func3(data38) > 100){
validate10.errors = [{instancePath:instancePath+"/branchPrefix",schemaPath:"#/properties/branchPrefix/maxLength",keyword:"maxLength",params:{limit: 100}}];
return false;
}
else {
if(func3(data38) < 1){
validate10.errors = [{instancePath:instancePath+"/branchPrefix",schemaPath:"#/properties/branchPrefix/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/branchPrefix",schemaPath:"#/properties/branchPrefix/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs81 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.insecure !== undefined){
const _errs83 = errors;
if(typeof data.insecure !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/insecure",schemaPath:"#/properties/insecure/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs83 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.publicUrl !== undefined){
let data40 = data.publicUrl;
const _errs85 = errors;
if(errors === _errs85){
if(typeof data40 === "string"){
if(!pattern5.test(data40)){
validate10.errors = [{instancePath:instancePath+"/publicUrl",schemaPath:"#/properties/publicUrl/pattern",keyword:"pattern",params:{pattern: "^https?://"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/publicUrl",schemaPath:"#/properties/publicUrl/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs85 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.allowedHosts !== undefined){
let data41 = data.allowedHosts;
const _errs87 = errors;
if(errors === _errs87){
if(Array.isArray(data41)){
var valid14 = true;
const len5 = data41.length;
for(let i8=0; i8<len5; i8++){
const _errs89 = errors;
if(typeof data41[i8] !== "string"){
validate10.errors = [{instancePath:instancePath+"/allowedHosts/" + i8,schemaPath:"#/properties/allowedHosts/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid14 = _errs89 === errors;
if(!valid14){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/allowedHosts",schemaPath:"#/properties/allowedHosts/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs87 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.trustedProxies !== undefined){
let data43 = data.trustedProxies;
const _errs91 = errors;
if(errors === _errs91){
if(Array.isArray(data43)){
var valid15 = true;
const len6 = data43.length;
for(let i9=0; i9<len6; i9++){
const _errs93 = errors;
if(typeof data43[i9] !== "string"){
validate10.errors = [{instancePath:instancePath+"/trustedProxies/" + i9,schemaPath:"#/properties/trustedProxies/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid15 = _errs93 === errors;
if(!valid15){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/trustedProxies",schemaPath:"#/properties/trustedProxies/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs91 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.allowPrivateAddresses !== undefined){
const _errs95 = errors;
if(typeof data.allowPrivateAddresses !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/allowPrivateAddresses",schemaPath:"#/properties/allowPrivateAddresses/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs95 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.workspaceRoot !== undefined){
const _errs97 = errors;
if(typeof data.workspaceRoot !== "string"){
validate10.errors = [{instancePath:instancePath+"/workspaceRoot",schemaPath:"#/properties/workspaceRoot/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs97 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.scriptsDir !== undefined){
const _errs99 = errors;
if(typeof data.scriptsDir !== "string"){
validate10.errors = [{instancePath:instancePath+"/scriptsDir",schemaPath:"#/properties/scriptsDir/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs99 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.deployCommand !== undefined){
let data48 = data.deployCommand;
const _errs101 = errors;
if(errors === _errs101){
if(typeof data48 === "string"){
if(func3(data48) < 1){
validate10.errors = [{instancePath:instancePath+"/deployCommand",schemaPath:"#/properties/deployCommand/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/deployCommand",schemaPath:"#/properties/deployCommand/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs101 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.runtime !== undefined){
let data49 = data.runtime;
const _errs103 = errors;
if(!(((data49 === "auto") || (data49 === "bwrap")) || (data49 === "process"))){
validate10.errors = [{instancePath:instancePath+"/runtime",schemaPath:"#/properties/runtime/enum",keyword:"enum",params:{allowedValues: schema11.properties.runtime.enum}}];
return false;
}
var valid0 = _errs103 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.toolFolders !== undefined){
let data50 = data.toolFolders;
const _errs104 = errors;
if(errors === _errs104){
if(Array.isArray(data50)){
var valid16 = true;
const len7 = data50.length;
for(let i10=0; i10<len7; i10++){
let data51 = data50[i10];
const _errs106 = errors;
if(errors === _errs106){
if(typeof data51 === "string"){
if(!pattern4.test(data51)){
validate10.errors = [{instancePath:instancePath+"/toolFolders/" + i10,schemaPath:"#/properties/toolFolders/items/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/toolFolders/" + i10,schemaPath:"#/properties/toolFolders/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid16 = _errs106 === errors;
if(!valid16){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/toolFolders",schemaPath:"#/properties/toolFolders/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs104 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.namespace !== undefined){
const _errs108 = errors;
if(typeof data.namespace !== "string"){
validate10.errors = [{instancePath:instancePath+"/namespace",schemaPath:"#/properties/namespace/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs108 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.kubeconfig !== undefined){
const _errs110 = errors;
if(typeof data.kubeconfig !== "string"){
validate10.errors = [{instancePath:instancePath+"/kubeconfig",schemaPath:"#/properties/kubeconfig/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid0 = _errs110 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.image !== undefined){
let data54 = data.image;
const _errs112 = errors;
if(errors === _errs112){
if(typeof data54 === "string"){
if(func3(data54) < 1){
validate10.errors = [{instancePath:instancePath+"/image",schemaPath:"#/properties/image/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/image",schemaPath:"#/properties/image/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs112 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.volumeRoot !== undefined){
let data55 = data.volumeRoot;
const _errs114 = errors;
if(errors === _errs114){
if(typeof data55 === "string"){
if(!pattern4.test(data55)){
validate10.errors = [{instancePath:instancePath+"/volumeRoot",schemaPath:"#/properties/volumeRoot/pattern",keyword:"pattern",params:{pattern: "^/"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/volumeRoot",schemaPath:"#/properties/volumeRoot/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs114 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.volumeClaim !== undefined){
let data56 = data.volumeClaim;
const _errs116 = errors;
if(errors === _errs116){
if(typeof data56 === "string"){
if(func3(data56) > 253){
validate10.errors = [{instancePath:instancePath+"/volumeClaim",schemaPath:"#/properties/volumeClaim/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data56) < 1){
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
var valid0 = _errs116 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.executionPods !== undefined){
let data57 = data.executionPods;
const _errs118 = errors;
if(errors === _errs118){
if(data57 && typeof data57 == "object" && !Array.isArray(data57)){
const _errs120 = errors;
for(const key6 in data57){
if(!(func2.call(schema11.properties.executionPods.properties, key6))){
validate10.errors = [{instancePath:instancePath+"/executionPods",schemaPath:"#/properties/executionPods/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}}];
return false;
break;
}
}
if(_errs120 === errors){
if(data57.runAsUser !== undefined){
let data58 = data57.runAsUser;
const _errs121 = errors;
const _errs122 = errors;
let valid18 = false;
const _errs123 = errors;
if(!(((typeof data58 == "number") && (!(data58 % 1) && !isNaN(data58))) && (isFinite(data58)))){
const err0 = {instancePath:instancePath+"/executionPods/runAsUser",schemaPath:"#/properties/executionPods/properties/runAsUser/anyOf/0/type",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(errors === _errs123){
if((typeof data58 == "number") && (isFinite(data58))){
if(data58 > 2147483647 || isNaN(data58)){
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
if(data58 < 1 || isNaN(data58)){
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
var _valid0 = _errs123 === errors;
valid18 = valid18 || _valid0;
if(!valid18){
const _errs125 = errors;
if(data58 !== null){
const err3 = {instancePath:instancePath+"/executionPods/runAsUser",schemaPath:"#/properties/executionPods/properties/runAsUser/anyOf/1/type",keyword:"type",params:{type: "null"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
var _valid0 = _errs125 === errors;
valid18 = valid18 || _valid0;
}
if(!valid18){
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
errors = _errs122;
if(vErrors !== null){
if(_errs122){
vErrors.length = _errs122;
}
else {
vErrors = null;
}
}
}
var valid17 = _errs121 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.resources !== undefined){
let data59 = data57.resources;
const _errs127 = errors;
if(errors === _errs127){
if(data59 && typeof data59 == "object" && !Array.isArray(data59)){
const _errs129 = errors;
for(const key7 in data59){
if(!((((key7 === "copy-runner") || (key7 === "prepare")) || (key7 === "agent")) || (key7 === "deliver"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources",schemaPath:"#/properties/executionPods/properties/resources/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}}];
return false;
break;
}
}
if(_errs129 === errors){
if(data59["copy-runner"] !== undefined){
let data60 = data59["copy-runner"];
const _errs130 = errors;
if(errors === _errs130){
if(data60 && typeof data60 == "object" && !Array.isArray(data60)){
const _errs132 = errors;
for(const key8 in data60){
if(!((key8 === "requests") || (key8 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/copy-runner",schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}}];
return false;
break;
}
}
if(_errs132 === errors){
if(data60.requests !== undefined){
let data61 = data60.requests;
const _errs133 = errors;
if(errors === _errs133){
if(data61 && typeof data61 == "object" && !Array.isArray(data61)){
var valid21 = true;
for(const key9 in data61){
if(pattern13.test(key9)){
let data62 = data61[key9];
const _errs135 = errors;
const _errs136 = errors;
let valid22 = false;
const _errs137 = errors;
if(errors === _errs137){
if(typeof data62 === "string"){
if(func3(data62) < 1){
const err5 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
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
const err6 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
var _valid1 = _errs137 === errors;
valid22 = valid22 || _valid1;
if(!valid22){
const _errs139 = errors;
if(errors === _errs139){
if((typeof data62 == "number") && (isFinite(data62))){
if(data62 < 0 || isNaN(data62)){
const err7 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err8 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
var _valid1 = _errs139 === errors;
valid22 = valid22 || _valid1;
}
if(!valid22){
const err9 = {instancePath:instancePath+"/executionPods/resources/copy-runner/requests/" + key9.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/requests/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
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
errors = _errs136;
if(vErrors !== null){
if(_errs136){
vErrors.length = _errs136;
}
else {
vErrors = null;
}
}
}
var valid21 = _errs135 === errors;
if(!valid21){
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
var valid20 = _errs133 === errors;
}
else {
var valid20 = true;
}
if(valid20){
if(data60.limits !== undefined){
let data63 = data60.limits;
const _errs141 = errors;
if(errors === _errs141){
if(data63 && typeof data63 == "object" && !Array.isArray(data63)){
var valid23 = true;
for(const key10 in data63){
if(pattern13.test(key10)){
let data64 = data63[key10];
const _errs143 = errors;
const _errs144 = errors;
let valid24 = false;
const _errs145 = errors;
if(errors === _errs145){
if(typeof data64 === "string"){
if(func3(data64) < 1){
const err10 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
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
const err11 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
var _valid2 = _errs145 === errors;
valid24 = valid24 || _valid2;
if(!valid24){
const _errs147 = errors;
if(errors === _errs147){
if((typeof data64 == "number") && (isFinite(data64))){
if(data64 < 0 || isNaN(data64)){
const err12 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err13 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
var _valid2 = _errs147 === errors;
valid24 = valid24 || _valid2;
}
if(!valid24){
const err14 = {instancePath:instancePath+"/executionPods/resources/copy-runner/limits/" + key10.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/properties/limits/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
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
var valid23 = _errs143 === errors;
if(!valid23){
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
var valid20 = _errs141 === errors;
}
else {
var valid20 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/copy-runner",schemaPath:"#/properties/executionPods/properties/resources/properties/copy-runner/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid19 = _errs130 === errors;
}
else {
var valid19 = true;
}
if(valid19){
if(data59.prepare !== undefined){
let data65 = data59.prepare;
const _errs149 = errors;
if(errors === _errs149){
if(data65 && typeof data65 == "object" && !Array.isArray(data65)){
const _errs151 = errors;
for(const key11 in data65){
if(!((key11 === "requests") || (key11 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/prepare",schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}}];
return false;
break;
}
}
if(_errs151 === errors){
if(data65.requests !== undefined){
let data66 = data65.requests;
const _errs152 = errors;
if(errors === _errs152){
if(data66 && typeof data66 == "object" && !Array.isArray(data66)){
var valid26 = true;
for(const key12 in data66){
if(pattern13.test(key12)){
let data67 = data66[key12];
const _errs154 = errors;
const _errs155 = errors;
let valid27 = false;
const _errs156 = errors;
if(errors === _errs156){
if(typeof data67 === "string"){
if(func3(data67) < 1){
const err15 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
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
const err16 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
var _valid3 = _errs156 === errors;
valid27 = valid27 || _valid3;
if(!valid27){
const _errs158 = errors;
if(errors === _errs158){
if((typeof data67 == "number") && (isFinite(data67))){
if(data67 < 0 || isNaN(data67)){
const err17 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err18 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
var _valid3 = _errs158 === errors;
valid27 = valid27 || _valid3;
}
if(!valid27){
const err19 = {instancePath:instancePath+"/executionPods/resources/prepare/requests/" + key12.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/requests/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
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
errors = _errs155;
if(vErrors !== null){
if(_errs155){
vErrors.length = _errs155;
}
else {
vErrors = null;
}
}
}
var valid26 = _errs154 === errors;
if(!valid26){
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
var valid25 = _errs152 === errors;
}
else {
var valid25 = true;
}
if(valid25){
if(data65.limits !== undefined){
let data68 = data65.limits;
const _errs160 = errors;
if(errors === _errs160){
if(data68 && typeof data68 == "object" && !Array.isArray(data68)){
var valid28 = true;
for(const key13 in data68){
if(pattern13.test(key13)){
let data69 = data68[key13];
const _errs162 = errors;
const _errs163 = errors;
let valid29 = false;
const _errs164 = errors;
if(errors === _errs164){
if(typeof data69 === "string"){
if(func3(data69) < 1){
const err20 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
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
const err21 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
var _valid4 = _errs164 === errors;
valid29 = valid29 || _valid4;
if(!valid29){
const _errs166 = errors;
if(errors === _errs166){
if((typeof data69 == "number") && (isFinite(data69))){
if(data69 < 0 || isNaN(data69)){
const err22 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err23 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
var _valid4 = _errs166 === errors;
valid29 = valid29 || _valid4;
}
if(!valid29){
const err24 = {instancePath:instancePath+"/executionPods/resources/prepare/limits/" + key13.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/properties/limits/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
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
errors = _errs163;
if(vErrors !== null){
if(_errs163){
vErrors.length = _errs163;
}
else {
vErrors = null;
}
}
}
var valid28 = _errs162 === errors;
if(!valid28){
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
var valid25 = _errs160 === errors;
}
else {
var valid25 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/prepare",schemaPath:"#/properties/executionPods/properties/resources/properties/prepare/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid19 = _errs149 === errors;
}
else {
var valid19 = true;
}
if(valid19){
if(data59.agent !== undefined){
let data70 = data59.agent;
const _errs168 = errors;
if(errors === _errs168){
if(data70 && typeof data70 == "object" && !Array.isArray(data70)){
const _errs170 = errors;
for(const key14 in data70){
if(!((key14 === "requests") || (key14 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/agent",schemaPath:"#/properties/executionPods/properties/resources/properties/agent/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14}}];
return false;
break;
}
}
if(_errs170 === errors){
if(data70.requests !== undefined){
let data71 = data70.requests;
const _errs171 = errors;
if(errors === _errs171){
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
var valid31 = true;
for(const key15 in data71){
if(pattern13.test(key15)){
let data72 = data71[key15];
const _errs173 = errors;
const _errs174 = errors;
let valid32 = false;
const _errs175 = errors;
if(errors === _errs175){
if(typeof data72 === "string"){
if(func3(data72) < 1){
const err25 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
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
const err26 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
var _valid5 = _errs175 === errors;
valid32 = valid32 || _valid5;
if(!valid32){
const _errs177 = errors;
if(errors === _errs177){
if((typeof data72 == "number") && (isFinite(data72))){
if(data72 < 0 || isNaN(data72)){
const err27 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err28 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
var _valid5 = _errs177 === errors;
valid32 = valid32 || _valid5;
}
if(!valid32){
const err29 = {instancePath:instancePath+"/executionPods/resources/agent/requests/" + key15.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/requests/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
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
errors = _errs174;
if(vErrors !== null){
if(_errs174){
vErrors.length = _errs174;
}
else {
vErrors = null;
}
}
}
var valid31 = _errs173 === errors;
if(!valid31){
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
var valid30 = _errs171 === errors;
}
else {
var valid30 = true;
}
if(valid30){
if(data70.limits !== undefined){
let data73 = data70.limits;
const _errs179 = errors;
if(errors === _errs179){
if(data73 && typeof data73 == "object" && !Array.isArray(data73)){
var valid33 = true;
for(const key16 in data73){
if(pattern13.test(key16)){
let data74 = data73[key16];
const _errs181 = errors;
const _errs182 = errors;
let valid34 = false;
const _errs183 = errors;
if(errors === _errs183){
if(typeof data74 === "string"){
if(func3(data74) < 1){
const err30 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
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
const err31 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
var _valid6 = _errs183 === errors;
valid34 = valid34 || _valid6;
if(!valid34){
const _errs185 = errors;
if(errors === _errs185){
if((typeof data74 == "number") && (isFinite(data74))){
if(data74 < 0 || isNaN(data74)){
const err32 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err33 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
var _valid6 = _errs185 === errors;
valid34 = valid34 || _valid6;
}
if(!valid34){
const err34 = {instancePath:instancePath+"/executionPods/resources/agent/limits/" + key16.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/agent/properties/limits/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
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
errors = _errs182;
if(vErrors !== null){
if(_errs182){
vErrors.length = _errs182;
}
else {
vErrors = null;
}
}
}
var valid33 = _errs181 === errors;
if(!valid33){
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
var valid30 = _errs179 === errors;
}
else {
var valid30 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/agent",schemaPath:"#/properties/executionPods/properties/resources/properties/agent/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid19 = _errs168 === errors;
}
else {
var valid19 = true;
}
if(valid19){
if(data59.deliver !== undefined){
let data75 = data59.deliver;
const _errs187 = errors;
if(errors === _errs187){
if(data75 && typeof data75 == "object" && !Array.isArray(data75)){
const _errs189 = errors;
for(const key17 in data75){
if(!((key17 === "requests") || (key17 === "limits"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/deliver",schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key17}}];
return false;
break;
}
}
if(_errs189 === errors){
if(data75.requests !== undefined){
let data76 = data75.requests;
const _errs190 = errors;
if(errors === _errs190){
if(data76 && typeof data76 == "object" && !Array.isArray(data76)){
var valid36 = true;
for(const key18 in data76){
if(pattern13.test(key18)){
let data77 = data76[key18];
const _errs192 = errors;
const _errs193 = errors;
let valid37 = false;
const _errs194 = errors;
if(errors === _errs194){
if(typeof data77 === "string"){
if(func3(data77) < 1){
const err35 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
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
const err36 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
var _valid7 = _errs194 === errors;
valid37 = valid37 || _valid7;
if(!valid37){
const _errs196 = errors;
if(errors === _errs196){
if((typeof data77 == "number") && (isFinite(data77))){
if(data77 < 0 || isNaN(data77)){
const err37 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err38 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
var _valid7 = _errs196 === errors;
valid37 = valid37 || _valid7;
}
if(!valid37){
const err39 = {instancePath:instancePath+"/executionPods/resources/deliver/requests/" + key18.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/requests/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
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
errors = _errs193;
if(vErrors !== null){
if(_errs193){
vErrors.length = _errs193;
}
else {
vErrors = null;
}
}
}
var valid36 = _errs192 === errors;
if(!valid36){
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
var valid35 = _errs190 === errors;
}
else {
var valid35 = true;
}
if(valid35){
if(data75.limits !== undefined){
let data78 = data75.limits;
const _errs198 = errors;
if(errors === _errs198){
if(data78 && typeof data78 == "object" && !Array.isArray(data78)){
var valid38 = true;
for(const key19 in data78){
if(pattern13.test(key19)){
let data79 = data78[key19];
const _errs200 = errors;
const _errs201 = errors;
let valid39 = false;
const _errs202 = errors;
if(errors === _errs202){
if(typeof data79 === "string"){
if(func3(data79) < 1){
const err40 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
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
const err41 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
var _valid8 = _errs202 === errors;
valid39 = valid39 || _valid8;
if(!valid39){
const _errs204 = errors;
if(errors === _errs204){
if((typeof data79 == "number") && (isFinite(data79))){
if(data79 < 0 || isNaN(data79)){
const err42 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
const err43 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
var _valid8 = _errs204 === errors;
valid39 = valid39 || _valid8;
}
if(!valid39){
const err44 = {instancePath:instancePath+"/executionPods/resources/deliver/limits/" + key19.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/properties/limits/patternProperties/%5E.*%24/anyOf",keyword:"anyOf",params:{}};
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
errors = _errs201;
if(vErrors !== null){
if(_errs201){
vErrors.length = _errs201;
}
else {
vErrors = null;
}
}
}
var valid38 = _errs200 === errors;
if(!valid38){
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
var valid35 = _errs198 === errors;
}
else {
var valid35 = true;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/resources/deliver",schemaPath:"#/properties/executionPods/properties/resources/properties/deliver/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid19 = _errs187 === errors;
}
else {
var valid19 = true;
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
var valid17 = _errs127 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.env !== undefined){
let data80 = data57.env;
const _errs206 = errors;
if(errors === _errs206){
if(Array.isArray(data80)){
if(data80.length > 100){
validate10.errors = [{instancePath:instancePath+"/executionPods/env",schemaPath:"#/properties/executionPods/properties/env/maxItems",keyword:"maxItems",params:{limit: 100}}];
return false;
}
else {
var valid40 = true;
const len8 = data80.length;
for(let i11=0; i11<len8; i11++){
let data81 = data80[i11];
const _errs208 = errors;
if(errors === _errs208){
if(data81 && typeof data81 == "object" && !Array.isArray(data81)){
let missing5;
if(((data81.name === undefined) && (missing5 = "name")) || ((data81.value === undefined) && (missing5 = "value"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/env/" + i11,schemaPath:"#/properties/executionPods/properties/env/items/required",keyword:"required",params:{missingProperty: missing5}}];
return false;
}
else {
const _errs210 = errors;
for(const key20 in data81){
if(!((key20 === "name") || (key20 === "value"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/env/" + i11,schemaPath:"#/properties/executionPods/properties/env/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key20}}];
return false;
break;
}
}
if(_errs210 === errors){
if(data81.name !== undefined){
let data82 = data81.name;
const _errs211 = errors;
if(errors === _errs211){
if(typeof data82 === "string"){
if(func3(data82) > 253){
validate10.errors = [{instancePath:instancePath+"/executionPods/env/" + i11+"/name",schemaPath:"#/properties/executionPods/properties/env/items/properties/name/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(!pattern21.test(data82)){
validate10.errors = [{instancePath:instancePath+"/executionPods/env/" + i11+"/name",schemaPath:"#/properties/executionPods/properties/env/items/properties/name/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z_][A-Za-z0-9_]*$"}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/env/" + i11+"/name",schemaPath:"#/properties/executionPods/properties/env/items/properties/name/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid41 = _errs211 === errors;
}
else {
var valid41 = true;
}
if(valid41){
if(data81.value !== undefined){
const _errs213 = errors;
if(typeof data81.value !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/env/" + i11+"/value",schemaPath:"#/properties/executionPods/properties/env/items/properties/value/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid41 = _errs213 === errors;
}
else {
var valid41 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/env/" + i11,schemaPath:"#/properties/executionPods/properties/env/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid40 = _errs208 === errors;
if(!valid40){
break;
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/env",schemaPath:"#/properties/executionPods/properties/env/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid17 = _errs206 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.caBundle !== undefined){
let data84 = data57.caBundle;
const _errs215 = errors;
if(errors === _errs215){
if(data84 && typeof data84 == "object" && !Array.isArray(data84)){
let missing6;
if(((data84.configMap === undefined) && (missing6 = "configMap")) || ((data84.key === undefined) && (missing6 = "key"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/caBundle",schemaPath:"#/properties/executionPods/properties/caBundle/required",keyword:"required",params:{missingProperty: missing6}}];
return false;
}
else {
const _errs217 = errors;
for(const key21 in data84){
if(!((key21 === "configMap") || (key21 === "key"))){
validate10.errors = [{instancePath:instancePath+"/executionPods/caBundle",schemaPath:"#/properties/executionPods/properties/caBundle/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key21}}];
return false;
break;
}
}
if(_errs217 === errors){
if(data84.configMap !== undefined){
let data85 = data84.configMap;
const _errs218 = errors;
if(errors === _errs218){
if(typeof data85 === "string"){
if(func3(data85) > 253){
validate10.errors = [{instancePath:instancePath+"/executionPods/caBundle/configMap",schemaPath:"#/properties/executionPods/properties/caBundle/properties/configMap/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data85) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/caBundle/configMap",schemaPath:"#/properties/executionPods/properties/caBundle/properties/configMap/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/caBundle/configMap",schemaPath:"#/properties/executionPods/properties/caBundle/properties/configMap/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid42 = _errs218 === errors;
}
else {
var valid42 = true;
}
if(valid42){
if(data84.key !== undefined){
let data86 = data84.key;
const _errs220 = errors;
if(errors === _errs220){
if(typeof data86 === "string"){
if(!pattern22.test(data86)){
validate10.errors = [{instancePath:instancePath+"/executionPods/caBundle/key",schemaPath:"#/properties/executionPods/properties/caBundle/properties/key/pattern",keyword:"pattern",params:{pattern: "^[-._a-zA-Z0-9]{1,253}$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/caBundle/key",schemaPath:"#/properties/executionPods/properties/caBundle/properties/key/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid42 = _errs220 === errors;
}
else {
var valid42 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/caBundle",schemaPath:"#/properties/executionPods/properties/caBundle/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid17 = _errs215 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.tmpSizeLimit !== undefined){
let data87 = data57.tmpSizeLimit;
const _errs222 = errors;
if(errors === _errs222){
if(typeof data87 === "string"){
if(func3(data87) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/tmpSizeLimit",schemaPath:"#/properties/executionPods/properties/tmpSizeLimit/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/tmpSizeLimit",schemaPath:"#/properties/executionPods/properties/tmpSizeLimit/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid17 = _errs222 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.jobLabels !== undefined){
let data88 = data57.jobLabels;
const _errs224 = errors;
if(errors === _errs224){
if(data88 && typeof data88 == "object" && !Array.isArray(data88)){
var valid43 = true;
for(const key22 in data88){
if(pattern13.test(key22)){
const _errs226 = errors;
if(typeof data88[key22] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/jobLabels/" + key22.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/jobLabels/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid43 = _errs226 === errors;
if(!valid43){
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
var valid17 = _errs224 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.labels !== undefined){
let data90 = data57.labels;
const _errs228 = errors;
if(errors === _errs228){
if(data90 && typeof data90 == "object" && !Array.isArray(data90)){
var valid44 = true;
for(const key23 in data90){
if(pattern13.test(key23)){
const _errs230 = errors;
if(typeof data90[key23] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/labels/" + key23.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/labels/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid44 = _errs230 === errors;
if(!valid44){
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
var valid17 = _errs228 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.annotations !== undefined){
let data92 = data57.annotations;
const _errs232 = errors;
if(errors === _errs232){
if(data92 && typeof data92 == "object" && !Array.isArray(data92)){
var valid45 = true;
for(const key24 in data92){
if(pattern13.test(key24)){
const _errs234 = errors;
if(typeof data92[key24] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/annotations/" + key24.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/annotations/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid45 = _errs234 === errors;
if(!valid45){
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
var valid17 = _errs232 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.nodeSelector !== undefined){
let data94 = data57.nodeSelector;
const _errs236 = errors;
if(errors === _errs236){
if(data94 && typeof data94 == "object" && !Array.isArray(data94)){
var valid46 = true;
for(const key25 in data94){
if(pattern13.test(key25)){
const _errs238 = errors;
if(typeof data94[key25] !== "string"){
validate10.errors = [{instancePath:instancePath+"/executionPods/nodeSelector/" + key25.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/executionPods/properties/nodeSelector/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"}}];
return false;
}
var valid46 = _errs238 === errors;
if(!valid46){
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
var valid17 = _errs236 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.tolerations !== undefined){
let data96 = data57.tolerations;
const _errs240 = errors;
if(errors === _errs240){
if(Array.isArray(data96)){
if(data96.length > 20){
validate10.errors = [{instancePath:instancePath+"/executionPods/tolerations",schemaPath:"#/properties/executionPods/properties/tolerations/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid47 = true;
const len9 = data96.length;
for(let i12=0; i12<len9; i12++){
let data97 = data96[i12];
const _errs242 = errors;
if(errors === _errs242){
if(!(data97 && typeof data97 == "object" && !Array.isArray(data97))){
validate10.errors = [{instancePath:instancePath+"/executionPods/tolerations/" + i12,schemaPath:"#/properties/executionPods/properties/tolerations/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid47 = _errs242 === errors;
if(!valid47){
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
var valid17 = _errs240 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.affinity !== undefined){
let data98 = data57.affinity;
const _errs244 = errors;
if(errors === _errs244){
if(!(data98 && typeof data98 == "object" && !Array.isArray(data98))){
validate10.errors = [{instancePath:instancePath+"/executionPods/affinity",schemaPath:"#/properties/executionPods/properties/affinity/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid17 = _errs244 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.priorityClassName !== undefined){
let data99 = data57.priorityClassName;
const _errs246 = errors;
if(errors === _errs246){
if(typeof data99 === "string"){
if(func3(data99) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/priorityClassName",schemaPath:"#/properties/executionPods/properties/priorityClassName/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/priorityClassName",schemaPath:"#/properties/executionPods/properties/priorityClassName/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid17 = _errs246 === errors;
}
else {
var valid17 = true;
}
if(valid17){
if(data57.imagePullSecrets !== undefined){
let data100 = data57.imagePullSecrets;
const _errs248 = errors;
if(errors === _errs248){
if(Array.isArray(data100)){
if(data100.length > 20){
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets",schemaPath:"#/properties/executionPods/properties/imagePullSecrets/maxItems",keyword:"maxItems",params:{limit: 20}}];
return false;
}
else {
var valid48 = true;
const len10 = data100.length;
for(let i13=0; i13<len10; i13++){
let data101 = data100[i13];
const _errs250 = errors;
if(errors === _errs250){
if(typeof data101 === "string"){
if(func3(data101) < 1){
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets/" + i13,schemaPath:"#/properties/executionPods/properties/imagePullSecrets/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/executionPods/imagePullSecrets/" + i13,schemaPath:"#/properties/executionPods/properties/imagePullSecrets/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid48 = _errs250 === errors;
if(!valid48){
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
var valid17 = _errs248 === errors;
}
else {
var valid17 = true;
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
validate10.errors = [{instancePath:instancePath+"/executionPods",schemaPath:"#/properties/executionPods/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs118 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.gitCredentials !== undefined){
let data102 = data.gitCredentials;
const _errs252 = errors;
if(errors === _errs252){
if(Array.isArray(data102)){
var valid49 = true;
const len11 = data102.length;
for(let i14=0; i14<len11; i14++){
let data103 = data102[i14];
const _errs254 = errors;
if(errors === _errs254){
if(data103 && typeof data103 == "object" && !Array.isArray(data103)){
let missing7;
if(((data103.host === undefined) && (missing7 = "host")) || ((data103.secretName === undefined) && (missing7 = "secretName"))){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i14,schemaPath:"#/properties/gitCredentials/items/required",keyword:"required",params:{missingProperty: missing7}}];
return false;
}
else {
const _errs256 = errors;
for(const key26 in data103){
if(!((key26 === "host") || (key26 === "secretName"))){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i14,schemaPath:"#/properties/gitCredentials/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key26}}];
return false;
break;
}
}
if(_errs256 === errors){
if(data103.host !== undefined){
let data104 = data103.host;
const _errs257 = errors;
if(errors === _errs257){
if(typeof data104 === "string"){
if(!pattern27.test(data104)){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i14+"/host",schemaPath:"#/properties/gitCredentials/items/properties/host/pattern",keyword:"pattern",params:{pattern: "^(?:(https?|ssh)://)?(\\[[0-9a-f:.]+\\]|[^/:@[\\]\\s]+)(?::(\\d{1,5}))?/?$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i14+"/host",schemaPath:"#/properties/gitCredentials/items/properties/host/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid50 = _errs257 === errors;
}
else {
var valid50 = true;
}
if(valid50){
if(data103.secretName !== undefined){
let data105 = data103.secretName;
const _errs259 = errors;
if(errors === _errs259){
if(typeof data105 === "string"){
if(func3(data105) > 253){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i14+"/secretName",schemaPath:"#/properties/gitCredentials/items/properties/secretName/maxLength",keyword:"maxLength",params:{limit: 253}}];
return false;
}
else {
if(func3(data105) < 1){
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i14+"/secretName",schemaPath:"#/properties/gitCredentials/items/properties/secretName/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i14+"/secretName",schemaPath:"#/properties/gitCredentials/items/properties/secretName/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid50 = _errs259 === errors;
}
else {
var valid50 = true;
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gitCredentials/" + i14,schemaPath:"#/properties/gitCredentials/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid49 = _errs254 === errors;
if(!valid49){
break;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/gitCredentials",schemaPath:"#/properties/gitCredentials/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs252 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.maxPushSize !== undefined){
let data106 = data.maxPushSize;
const _errs261 = errors;
if(errors === _errs261){
if(typeof data106 === "string"){
if(!pattern28.test(data106)){
validate10.errors = [{instancePath:instancePath+"/maxPushSize",schemaPath:"#/properties/maxPushSize/pattern",keyword:"pattern",params:{pattern: "^[1-9][0-9]{0,11}(k|Ki|M|Mi|G|Gi)?$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/maxPushSize",schemaPath:"#/properties/maxPushSize/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs261 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.retention !== undefined){
let data107 = data.retention;
const _errs263 = errors;
if(errors === _errs263){
if(data107 && typeof data107 == "object" && !Array.isArray(data107)){
const _errs265 = errors;
for(const key27 in data107){
if(!((((((key27 === "closedDays") || (key27 === "closedCount")) || (key27 === "failedDays")) || (key27 === "failedCount")) || (key27 === "archiveDays")) || (key27 === "archiveCount"))){
validate10.errors = [{instancePath:instancePath+"/retention",schemaPath:"#/properties/retention/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key27}}];
return false;
break;
}
}
if(_errs265 === errors){
if(data107.closedDays !== undefined){
let data108 = data107.closedDays;
const _errs266 = errors;
if(!(((typeof data108 == "number") && (!(data108 % 1) && !isNaN(data108))) && (isFinite(data108)))){
validate10.errors = [{instancePath:instancePath+"/retention/closedDays",schemaPath:"#/properties/retention/properties/closedDays/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs266){
if((typeof data108 == "number") && (isFinite(data108))){
if(data108 > 36500 || isNaN(data108)){
validate10.errors = [{instancePath:instancePath+"/retention/closedDays",schemaPath:"#/properties/retention/properties/closedDays/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500}}];
return false;
}
else {
if(data108 < 1 || isNaN(data108)){
validate10.errors = [{instancePath:instancePath+"/retention/closedDays",schemaPath:"#/properties/retention/properties/closedDays/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid51 = _errs266 === errors;
}
else {
var valid51 = true;
}
if(valid51){
if(data107.closedCount !== undefined){
let data109 = data107.closedCount;
const _errs268 = errors;
if(!(((typeof data109 == "number") && (!(data109 % 1) && !isNaN(data109))) && (isFinite(data109)))){
validate10.errors = [{instancePath:instancePath+"/retention/closedCount",schemaPath:"#/properties/retention/properties/closedCount/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs268){
if((typeof data109 == "number") && (isFinite(data109))){
if(data109 > 1000000 || isNaN(data109)){
validate10.errors = [{instancePath:instancePath+"/retention/closedCount",schemaPath:"#/properties/retention/properties/closedCount/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data109 < 0 || isNaN(data109)){
validate10.errors = [{instancePath:instancePath+"/retention/closedCount",schemaPath:"#/properties/retention/properties/closedCount/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid51 = _errs268 === errors;
}
else {
var valid51 = true;
}
if(valid51){
if(data107.failedDays !== undefined){
let data110 = data107.failedDays;
const _errs270 = errors;
if(!(((typeof data110 == "number") && (!(data110 % 1) && !isNaN(data110))) && (isFinite(data110)))){
validate10.errors = [{instancePath:instancePath+"/retention/failedDays",schemaPath:"#/properties/retention/properties/failedDays/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs270){
if((typeof data110 == "number") && (isFinite(data110))){
if(data110 > 36500 || isNaN(data110)){
validate10.errors = [{instancePath:instancePath+"/retention/failedDays",schemaPath:"#/properties/retention/properties/failedDays/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500}}];
return false;
}
else {
if(data110 < 1 || isNaN(data110)){
validate10.errors = [{instancePath:instancePath+"/retention/failedDays",schemaPath:"#/properties/retention/properties/failedDays/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid51 = _errs270 === errors;
}
else {
var valid51 = true;
}
if(valid51){
if(data107.failedCount !== undefined){
let data111 = data107.failedCount;
const _errs272 = errors;
if(!(((typeof data111 == "number") && (!(data111 % 1) && !isNaN(data111))) && (isFinite(data111)))){
validate10.errors = [{instancePath:instancePath+"/retention/failedCount",schemaPath:"#/properties/retention/properties/failedCount/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs272){
if((typeof data111 == "number") && (isFinite(data111))){
if(data111 > 1000000 || isNaN(data111)){
validate10.errors = [{instancePath:instancePath+"/retention/failedCount",schemaPath:"#/properties/retention/properties/failedCount/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data111 < 0 || isNaN(data111)){
validate10.errors = [{instancePath:instancePath+"/retention/failedCount",schemaPath:"#/properties/retention/properties/failedCount/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid51 = _errs272 === errors;
}
else {
var valid51 = true;
}
if(valid51){
if(data107.archiveDays !== undefined){
let data112 = data107.archiveDays;
const _errs274 = errors;
if(!(((typeof data112 == "number") && (!(data112 % 1) && !isNaN(data112))) && (isFinite(data112)))){
validate10.errors = [{instancePath:instancePath+"/retention/archiveDays",schemaPath:"#/properties/retention/properties/archiveDays/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs274){
if((typeof data112 == "number") && (isFinite(data112))){
if(data112 > 36500 || isNaN(data112)){
validate10.errors = [{instancePath:instancePath+"/retention/archiveDays",schemaPath:"#/properties/retention/properties/archiveDays/maximum",keyword:"maximum",params:{comparison: "<=", limit: 36500}}];
return false;
}
else {
if(data112 < 31 || isNaN(data112)){
validate10.errors = [{instancePath:instancePath+"/retention/archiveDays",schemaPath:"#/properties/retention/properties/archiveDays/minimum",keyword:"minimum",params:{comparison: ">=", limit: 31}}];
return false;
}
}
}
}
var valid51 = _errs274 === errors;
}
else {
var valid51 = true;
}
if(valid51){
if(data107.archiveCount !== undefined){
let data113 = data107.archiveCount;
const _errs276 = errors;
if(!(((typeof data113 == "number") && (!(data113 % 1) && !isNaN(data113))) && (isFinite(data113)))){
validate10.errors = [{instancePath:instancePath+"/retention/archiveCount",schemaPath:"#/properties/retention/properties/archiveCount/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs276){
if((typeof data113 == "number") && (isFinite(data113))){
if(data113 > 1000000 || isNaN(data113)){
validate10.errors = [{instancePath:instancePath+"/retention/archiveCount",schemaPath:"#/properties/retention/properties/archiveCount/maximum",keyword:"maximum",params:{comparison: "<=", limit: 1000000}}];
return false;
}
else {
if(data113 < 0 || isNaN(data113)){
validate10.errors = [{instancePath:instancePath+"/retention/archiveCount",schemaPath:"#/properties/retention/properties/archiveCount/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
var valid51 = _errs276 === errors;
}
else {
var valid51 = true;
}
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/retention",schemaPath:"#/properties/retention/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid0 = _errs263 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vapidPrivateKey !== undefined){
let data114 = data.vapidPrivateKey;
const _errs278 = errors;
if(errors === _errs278){
if(typeof data114 === "string"){
if(!pattern29.test(data114)){
validate10.errors = [{instancePath:instancePath+"/vapidPrivateKey",schemaPath:"#/properties/vapidPrivateKey/pattern",keyword:"pattern",params:{pattern: "^[A-Za-z0-9_-]{43}$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/vapidPrivateKey",schemaPath:"#/properties/vapidPrivateKey/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs278 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.vapidSubject !== undefined){
let data115 = data.vapidSubject;
const _errs280 = errors;
if(errors === _errs280){
if(typeof data115 === "string"){
if(!pattern30.test(data115)){
validate10.errors = [{instancePath:instancePath+"/vapidSubject",schemaPath:"#/properties/vapidSubject/pattern",keyword:"pattern",params:{pattern: "^(mailto:[^@\\s]+@[^@\\s]+|https://\\S+)$"}}];
return false;
}
}
else {
validate10.errors = [{instancePath:instancePath+"/vapidSubject",schemaPath:"#/properties/vapidSubject/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs280 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.pushPrivateEndpoints !== undefined){
const _errs282 = errors;
if(typeof data.pushPrivateEndpoints !== "boolean"){
validate10.errors = [{instancePath:instancePath+"/pushPrivateEndpoints",schemaPath:"#/properties/pushPrivateEndpoints/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs282 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logLevel !== undefined){
let data117 = data.logLevel;
const _errs284 = errors;
if(!(((((data117 === "debug") || (data117 === "info")) || (data117 === "warn")) || (data117 === "error")) || (data117 === "silent"))){
validate10.errors = [{instancePath:instancePath+"/logLevel",schemaPath:"#/properties/logLevel/enum",keyword:"enum",params:{allowedValues: schema11.properties.logLevel.enum}}];
return false;
}
var valid0 = _errs284 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.logFormat !== undefined){
let data118 = data.logFormat;
const _errs285 = errors;
if(!(((data118 === "auto") || (data118 === "pretty")) || (data118 === "json"))){
validate10.errors = [{instancePath:instancePath+"/logFormat",schemaPath:"#/properties/logFormat/enum",keyword:"enum",params:{allowedValues: schema11.properties.logFormat.enum}}];
return false;
}
var valid0 = _errs285 === errors;
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
