import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { fatalSentence } from '../../bin/fatal-errors.ts'
import { root } from '../../bin/local/root.ts'

describe('fatalSentence', () => {
  it.each([
    [Object.assign(new Error('write'), { code: 'ENOSPC' }), /^The disk is full\./],
    [
      Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
      /^The disk is full\./,
    ],
    [
      new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'EROFS' }) }),
      /^The file system is read-only\./,
    ],
  ])('describes %s', (error, sentence) => {
    expect(fatalSentence(error)).toMatch(sentence)
  })

  it.each([new Error('other'), undefined, 'text'])('leaves %s to its own message', (error) => {
    expect(fatalSentence(error)).toBeUndefined()
  })
})

/** Runs a script with the handlers and returns its exit code and what it wrote to standard error. */
async function run(script: string, { isReadTo = true } = {}) {
  const code = `import { handleFatalErrors } from './bin/fatal-errors.ts'; handleFatalErrors(); ${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: root })
  if (isReadTo) child.stdout.resume()
  else child.stdout.destroy()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { exit, stderr }
}

describe('handleFatalErrors', () => {
  it('ends without a message when its output is not read to the end', async () => {
    const endless = `const write = () => { process.stdout.write('x'.repeat(65_536), () => setImmediate(write)) }; write()`
    expect(await run(endless, { isReadTo: false })).toEqual({ exit: 0, stderr: '' })
  })

  it('ends with one sentence when the disk is full', async () => {
    const full = `setImmediate(() => { throw Object.assign(new Error('write'), { code: 'ENOSPC' }) })`
    const stderr = 'The disk is full. Free some space, and start the command again.\n'
    expect(await run(full)).toEqual({ exit: 1, stderr })
  })

  it('shows where any other error was thrown', async () => {
    const { exit, stderr } = await run(`setImmediate(() => { throw new Error('of the program') })`)
    expect([exit, stderr]).toEqual([1, expect.stringMatching(/^Error: of the program\n +at /)])
  })
})
