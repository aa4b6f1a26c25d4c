import { flowchart } from './flowchart.ts'
import { generatedBlock } from './generated-block.ts'
import { type Machine, machineNames, readMachine, statesOf } from './machines.ts'
import { fence, table } from './markdown.ts'

const block = generatedBlock('docs/architecture.md', 'machines')

/** `docs/architecture.md`, which people write, with its diagrams of the machines drawn anew. */
export const renderArchitecture = (current = `# Architecture\n\n${block.alone}`): string =>
  block.replaceIn(current, `Dotted edges are taken on errors.\n\n${diagrams()}`)

const diagrams = () =>
  machineNames
    .map((name) => {
      const machine = readMachine(name)
      return [
        `### The ${name} machine`,
        machine.Comment,
        fence('mermaid', flowchart(machine)),
        table(['State', 'Why it is there, and where it leads'], explanations(machine)),
      ].join('\n\n')
    })
    .join('\n\n')

/** What the machine itself says of its states. */
const explanations = (machine: Machine) =>
  statesOf(machine).flatMap(([title, { Comment }]) => (Comment ? [[title, Comment]] : []))
