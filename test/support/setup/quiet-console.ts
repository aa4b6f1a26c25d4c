import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeEach } from 'vitest'

/** What the console of this process would show since the last test. */
let written: string[] = []
const keep = new Writable({
  write(chunk: Buffer, _encoding, done) {
    written.push(chunk.toString())
    done()
  },
})

// Functions write a line for each invocation. Vitest would send every line to its main process and keep it there: a tenth of
// the time of all tests, and two thirds of a file of a thousand.
globalThis.console = new Console(keep)

const show = (title: string) => {
  if (written.length > 0) process.stderr.write(`\nConsole of “${title}”:\n${written.join('')}`)
}

let isTested = false
beforeEach(() => {
  if (isTested) written = []
  isTested = true
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') show(task.name)
})
afterAll(() => {
  if (!isTested) show('the set-up of a file')
})
