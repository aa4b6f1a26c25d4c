import { readFileSync } from 'node:fs'
import { scenarioAround } from './scenario.ts'
import type { ScenarioOf } from './worker.ts'

/** The module below, for the show document in this file. */
export function showScenarios(file: URL): URL {
  const module = new URL(import.meta.url)
  module.searchParams.set('show', file.href)
  return module
}

/** The show that this module was asked for, with what goes wrong around it by a seed. */
export const scenarioOf: ScenarioOf = (seed) => {
  const file = new URL(import.meta.url).searchParams.get('show')
  if (file === null) throw new Error('The show of these scenarios is not named: take their URL from showScenarios.')
  return scenarioAround(JSON.parse(readFileSync(new URL(file), 'utf8')), seed)
}
