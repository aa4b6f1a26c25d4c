import type { Template } from '../assembly.ts'
import { honouredOf } from './refuse-unknown.ts'

/** Returns the logical ids and parameters that a value refers to. */
export function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, argument]) => {
    if (name === 'Ref') return [String(argument)]
    if (name === 'Fn::GetAtt') return [String([argument].flat()[0]).split('.')[0] ?? '']
    const text = name === 'Fn::Sub' ? [argument].flat()[0] : ''
    const inText = [...String(text).matchAll(/\$\{([^!}.]+)[^}]*\}/g)].map(([, one = '']) => one)
    return [...inText, ...referencesIn(argument)]
  })
}

/** Returns resources with their direct and indirect dependencies. */
export function withNeeded({ Resources }: Template, ids: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (id: string) => {
    const resource = Object.hasOwn(Resources, id) ? Resources[id] : undefined
    if (!resource || found.has(id)) return
    found.add(id)
    for (const other of referencesIn(honouredOf(resource))) visit(other)
  }
  for (const id of ids) visit(id)
  return found
}
