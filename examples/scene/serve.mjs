// Serves this folder on this machine: node examples/scene/serve.mjs [port]
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const files = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/scene.css': ['scene.css', 'text/css'],
  '/scene.js': ['scene.js', 'text/javascript'],
}

const server = createServer(async ({ url }, response) => {
  const [name, type] = files[new URL(url, 'http://localhost').pathname] ?? []
  if (!name) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': type }).end(await readFile(new URL(name, import.meta.url)))
})
server.listen(Number(process.argv[2] ?? 8090), '127.0.0.1', () => {
  process.stdout.write(`The scene is at http://127.0.0.1:${server.address().port}/?name=Ada%20Lovelace&role=Host\n`)
})
