import { flowchart } from './flowchart.ts'
import { generatedBlock } from './generated-block.ts'
import { machineNames, readMachine } from './machines.ts'
import { fence } from './markdown.ts'

const block = generatedBlock('docs/architecture.md', 'machines')

/** `docs/architecture.md`, which people write, with its diagrams of the machines drawn anew. */
export const renderArchitecture = (current = `# Architecture\n\n${block.alone}`): string =>
  block.replaceIn(current, `Dotted edges are taken on errors.\n\n${diagrams()}`)

const diagrams = () =>
  machineNames
    .map((name) => {
      const machine = readMachine(name)
      return `### The ${name} machine\n\n${machine.Comment}\n\n${fence('mermaid', flowchart(machine))}`
    })
    .join('\n\n')
