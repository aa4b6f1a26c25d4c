#!/usr/bin/env node
// Starts the command line. Plain JavaScript, so that even an old Node runs it as far as its message.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The Node that the tests run on, and the oldest that is tried out. */
const TESTED = [24, 0]
const OLDEST = [22, 18]

const isFrom = ([major, minor]) => {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}

/** Returns the Node that npm has installed as an optional dependency, or undefined. */
function findNodeOfNpm() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`)
    const node = join(dirname(manifest), 'bin/node')
    return existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}

/** Runs a program in place of this one: with its terminal, signals and exit code. */
function become(program, args) {
  const child = spawn(program, args, { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.on('SIGINT', () => {}) // a terminal sends it to the child as well
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

const folder = dirname(fileURLToPath(import.meta.url))
const entry = join(folder, existsSync(join(folder, 'showrunner.ts')) ? 'showrunner.ts' : 'showrunner.js')
const other = isFrom(TESTED) ? undefined : findNodeOfNpm()

if (other) become(other, [entry, ...process.argv.slice(2)])
else if (isFrom(OLDEST)) {
  if (!isFrom(TESTED)) await import('./older-node.js')
  process.argv[1] = entry
  await import(`./${entry.slice(folder.length + 1)}`)
} else {
  process.stderr.write(
    `Showrunner needs Node ${OLDEST.join('.')} or later, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org.\n`,
  )
  process.exitCode = 1
}
