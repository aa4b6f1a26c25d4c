import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { renderApi } from './api-pages.ts'
import { collectPages } from './pages.ts'

const root = join(import.meta.dirname, '..')
const collected = join(import.meta.dirname, 'collected')

const read = (path: string) => readFileSync(join(root, path), 'utf8')

const paths = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const { pages, files } = collectPages(paths, read)
const ofApis = [
  ['api.md', renderApi(JSON.parse(read('docs/showrunner-api.json')), '/showrunner-api.json')],
  ['platform-api.md', renderApi(JSON.parse(read('docs/openapi.json')), '/openapi.json')],
] as const

rmSync(collected, { recursive: true, force: true })
for (const [path, text] of [...pages, ...ofApis]) {
  mkdirSync(dirname(join(collected, path)), { recursive: true })
  writeFileSync(join(collected, path), text)
}
for (const [from, to] of files) cpSync(join(root, from), join(collected, to))
const mermaid = join(import.meta.dirname, 'node_modules/mermaid/dist/mermaid.min.js')
cpSync(mermaid, join(collected, 'public/mermaid.js'))
console.log(`Collected ${pages.size + ofApis.length} pages.`)
