// The browser UI while it is being written: changes show at once, data comes from a server that runs already.
//
// npm run dev:web [http://127.0.0.1:8080]
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { viteOptions } from './build-web.mjs'

const target = process.argv[2] ?? 'http://127.0.0.1:8080'
// The server judges Origin and Host: to it, requests come from its own page.
const proxied = { target, changeOrigin: true, ws: true, headers: { origin: target } }
const server = await createServer({
  ...viteOptions,
  logLevel: 'info',
  plugins: [react()],
  server: { port: 5173, strictPort: false, proxy: { '/api': proxied, '/readyz': proxied } },
})
await server.listen()
server.printUrls()
