import { flowchart } from './flowchart.ts'
import { type Machine, machineNames, readMachine, statesOf } from './machines.ts'
import { fence, page, table } from './markdown.ts'

/** Renders `docs/machines.md`: each state machine as a flowchart, with the comments of its states. */
export const renderStateMachines = (): string =>
  page('State machines', '`statemachines`', 'Dotted edges are taken on errors.', ...machineNames.map(describe))

function describe(name: string): string {
  const machine = readMachine(name)
  return [
    `## The ${name} machine`,
    machine.Comment,
    fence('mermaid', flowchart(machine)),
    table(['State', 'Purpose'], purposes(machine)),
  ].join('\n\n')
}

const purposes = (machine: Machine) =>
  statesOf(machine).flatMap(([title, { Comment }]) => (Comment ? [[title, Comment]] : []))
