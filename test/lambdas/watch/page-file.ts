import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

const page = new URL('../../../web/watch/watch.html', import.meta.url)

/** Lets the tests of a file read the page from `web/watch`: only a bundle has it beside the function's code. */
export function providePage(): void {
  const { readFile } = fs
  const replace = (changed: typeof readFile) => {
    fs.readFile = changed
    syncBuiltinESMExports()
  }
  beforeAll(() =>
    replace(((path: unknown, ...given: never[]) =>
      readFile(String(path).endsWith('/watch.html') ? page : (path as URL), ...given)) as typeof readFile),
  )
  afterAll(() => replace(readFile))
}
