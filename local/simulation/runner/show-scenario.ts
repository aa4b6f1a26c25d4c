import { readFileSync } from 'node:fs'
import { scenarioAround } from './scenario.ts'
import type { ScenarioOf } from './worker.ts'

export function showScenarios(file: URL): URL {
  const module = new URL(import.meta.url)
  module.searchParams.set('show', file.href)
  return module
}

export const scenarioOf: ScenarioOf = (seed) => {
  const file = new URL(import.meta.url).searchParams.get('show')
  if (file === null) throw new Error('The URL of this module names no show. Take the URL from showScenarios.')
  return scenarioAround(JSON.parse(readFileSync(new URL(file), 'utf8')), seed)
}
