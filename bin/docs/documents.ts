import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describePlatform, jsonSchemaOf } from '../../lib/platform/contract/operations/openapi.ts'
import { show } from '../../lib/show/document/show.ts'
import { root } from '../local/root.ts'
import { clientMethodFiles } from './client-methods.ts'
import { renderCloud } from './cloud.ts'
import { renderErrors } from './errors.ts'
import { renderLifecycles } from './lifecycles.ts'
import { renderOperations } from './operations.ts'
import { describePlatformEvents } from './platform-events.ts'
import { renderProblems } from './problems.ts'
import { renderSandbox } from './sandbox.ts'
import { describeApi } from './showrunner-api.ts'
import { showrunnerClientFiles } from './showrunner-client.ts'
import { renderStateMachines } from './state-machines.ts'
import { renderTasks } from './tasks.ts'

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Adds contact and license to the description of an HTTP API, as package.json names them. */
function withPublisher<Document extends { readonly info: object }>(document: Document) {
  const { bugs, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const contact = { name: 'Showrunner', url: bugs }
  const terms = { name: license, url: `https://spdx.org/licenses/${license}.html` }
  return { ...document, info: { ...document.info, contact, license: terms } }
}

function renderShowSchema(): string {
  const { $schema, ...schema } = jsonSchemaOf(show)
  return json({ $schema, title: 'Show', ...schema })
}

/** The renderer of each document, by its path. Some keep the text that people wrote around the generated part. */
export const documents: Readonly<Record<string, (current?: string) => string>> = {
  'docs/machines.md': renderStateMachines,
  'docs/operations.md': renderOperations,
  'docs/openapi.json': () => json(withPublisher(describePlatform())),
  'docs/lifecycles.md': renderLifecycles,
  'docs/tasks.md': renderTasks,
  'docs/errors.md': renderErrors,
  'docs/problems.md': renderProblems,
  'docs/sandbox.md': renderSandbox,
  'local/cloud/README.md': renderCloud,
  'docs/show.schema.json': renderShowSchema,
  'docs/showrunner-api.json': () => json(withPublisher(describeApi())),
  'docs/platform-events.schema.json': () => json(describePlatformEvents()),
  ...clientMethodFiles,
  ...showrunnerClientFiles,
}

/**
 * Returns the documents that differ from the code, with the text that they should have, by their paths.
 * @param folder root of the documents; @default the checkout
 */
export function staleDocuments(folder = root): Map<string, string> {
  const stale = new Map<string, string>()
  for (const [path, render] of Object.entries(documents)) {
    const file = join(folder, path)
    const current = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    const rendered = render(current)
    if (rendered !== current) stale.set(path, rendered)
  }
  return stale
}

/** Writes every stale document, and returns their paths. */
export function writeDocuments(folder = root): string[] {
  const stale = staleDocuments(folder)
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return [...stale.keys()]
}
