import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local/root.ts'
import { generatedBlock } from './generated-block.ts'

const block = generatedBlock('local/cloud/README.md', 'lines')

/** `local/cloud/README.md`, which people write, with how long what it describes is. */
export const renderCloud = (current = `# AWS on a laptop\n\n${block.alone}`): string =>
  block.replaceIn(current, `It is about ${linesIn(sources()).toLocaleString('en')} lines, comments included.`)

const sources = () => globSync('local/cloud/**/*.ts', { cwd: root })

/** To the hundred, so that not every change of a line is one of the document. */
const linesIn = (files: readonly string[]) =>
  Math.round(files.reduce((lines, file) => lines + linesOf(file), 0) / 100) * 100

const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1
