// Shows /api/openapi.json in Swagger UI; asks for a token when the server does, and uses it for requests tried out.
const form = document.getElementById('access')
const problem = document.getElementById('problem')

/** Asks for the document: with the session's cookie where there is one, or with a token. */
async function load(token) {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const response = await fetch('/api/openapi.json', { headers })
  const body = await response.json()
  if (response.ok) show(body, token)
  else if (response.status === 401) ask(token === undefined ? '' : body.error)
  else throw new Error(body.error)
}

function ask(text) {
  form.hidden = false
  problem.textContent = text
  document.getElementById('token').focus()
}

function show(spec, token) {
  form.hidden = true
  const ui = globalThis.SwaggerUIBundle({
    spec,
    dom_id: '#api',
    deepLinking: true,
    // Nothing leaves this server: no badge of a validator elsewhere.
    validatorUrl: null,
    onComplete: () => token !== undefined && ui.preauthorizeApiKey('bearer', token),
  })
}

const start = (token) =>
  load(token).catch((error) => {
    problem.textContent = String(error)
    form.hidden = false
  })

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void start(document.getElementById('token').value)
})
void start()
