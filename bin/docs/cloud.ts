import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local/root.ts'
import { generatedBlock } from './generated-block.ts'

const block = generatedBlock('local/cloud/README.md', 'lines')

/** Renders the number of lines into `local/cloud/README.md`. People write the rest. */
export const renderCloud = (current = `# AWS on a laptop\n\n${block.alone}`): string =>
  block.replaceIn(current, `It is about ${linesIn(sources()).toLocaleString('en')} lines, comments included.`)

const sources = () => globSync('local/cloud/**/*.ts', { cwd: root })

/** Counts to the hundred, so that the document does not change with every line. */
const linesIn = (files: readonly string[]) =>
  Math.round(files.reduce((lines, file) => lines + linesOf(file), 0) / 100) * 100

const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1
