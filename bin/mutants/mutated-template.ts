import { basename } from 'node:path'
import { completeDefinition, readDefinition } from '../../lib/constructs/deploy/definition.ts'
import type { Template } from '../../local/cloud/assembly.ts'
import { localSettings } from '../local/assembly.ts'

const EXTENSION = '.asl.json'

/** Returns the template with changed definitions of state machines. @param sources texts by path */
export function mutatedTemplate(template: Template, sources: Readonly<Record<string, string>>): Template {
  const { concurrency, memory } = localSettings
  const changed = Object.entries(sources).filter(([file]) => file.endsWith(EXTENSION))
  let text = JSON.stringify(template)
  for (const [file, source] of changed) {
    const name = basename(file, EXTENSION)
    const before = JSON.stringify(readDefinition(name, { concurrency, memory }).text)
    if (!text.includes(before)) throw new Error(`The template has no machine with the definition of ${file}.`)
    const after = JSON.stringify(completeDefinition(name, source, { concurrency, memory }).text)
    text = text.replace(before, () => after)
  }
  return changed.length === 0 ? template : JSON.parse(text)
}
