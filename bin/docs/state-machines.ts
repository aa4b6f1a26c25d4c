import { flowchart } from './flowchart.ts'
import { type DocumentedMachine, machineNames, readDocumentedMachine, statesOf } from './machines.ts'
import { fence, markdownPage, table } from './markdown.ts'

/** Renders `docs/machines.md`: each state machine as a flowchart, with the comments of its states. */
export const renderStateMachines = (): string =>
  markdownPage('State machines', '`statemachines`', 'Dotted edges are taken on errors.', ...machineNames.map(describe))

function describe(name: string): string {
  const machine = readDocumentedMachine(name)
  return [
    `## The ${name} machine`,
    machine.Comment,
    fence('mermaid', flowchart(machine)),
    table(['State', 'Purpose'], purposes(machine)),
  ].join('\n\n')
}

const purposes = (machine: DocumentedMachine) =>
  statesOf(machine).flatMap(([title, { Comment }]) => (Comment ? [[title, Comment]] : []))
