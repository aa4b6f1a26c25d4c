import { callees } from '../../local/sandbox/calls/callees.ts'
import { generatedBlock } from './generated-block.ts'
import { code, table } from './markdown.ts'

const block = generatedBlock('docs/sandbox.md', 'callees')

/** Renders the table of SIP callees into `docs/sandbox.md`. People write the rest. */
export const renderSandbox = (current = `# The sandbox\n\n${block.alone}`): string =>
  block.replaceIn(current, table(['User', 'What the callee does'], rows()))

const rows = () =>
  Object.entries(callees).map(([name, { says, seconds }]) => [
    [code(name), ...(seconds === undefined ? [] : [code(`${name}-N`)])].join(', '),
    says,
  ])
