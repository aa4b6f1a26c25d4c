import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { visitConsole } from '../support/console.ts'
import { startProgram } from '../support/program.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../support/ready-program.ts'

let folder: string
let directory: string
let laptop: ReadyProgram<LocalAddresses>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-killed-'))
  directory = join(folder, 'local')
})
afterEach(async () => {
  await laptop?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Names of the publish executions that are under way, as the laptop has noted them. */
async function publishing(): Promise<string[]> {
  const notes = join(directory, 'executions')
  const files = (await readdir(notes)).filter((file) => file.endsWith('.json'))
  const texts = await Promise.all(files.map((file) => readFile(join(notes, file), 'utf8').catch(() => '{}')))
  const found: { stateMachineArn?: string; name: string }[] = texts.map((text) => JSON.parse(text))
  return found.flatMap(({ stateMachineArn, name }) => (stateMachineArn?.endsWith('-publish') ? name : []))
}

const POLLING = { interval: 20 }

it('a publish in which npm start was killed is finished at the next start', async () => {
  laptop = await startLocal(directory)
  const file = join(folder, 'show.json')
  await writeFile(file, JSON.stringify({ version: 1, name: 'Short', duration: 4, recordings: [{ name: 'program' }] }))
  const running = startProgram(['run', file, '--participants', '1', '--directory', directory])
  await expect.poll(publishing, POLLING).toHaveLength(1)
  const [name = ''] = await publishing()
  running.child.kill('SIGINT') // it follows the show, which nothing is heard of for a while
  laptop.child.kill('SIGKILL')
  await Promise.all([laptop.ended, running.ended])
  expect(await publishing()).toEqual([name])

  const again = new Set<string>()
  const resumed = expect // from before the start on, since it takes only seconds
    .poll(async () => [...(await publishing()).reduce((all, one) => all.add(one), again)], POLLING)
    .toContain(`${name}-r2`)
  ;[laptop] = await Promise.all([startLocal(directory), resumed])
  const visit = await visitConsole(laptop.ready.consoleUrl)
  const listed = async () => {
    const { items } = (await (await visit('/api/recordings')).json()) as { items: { status: string }[] }
    return items.map(({ status }) => status)
  }
  await expect.poll(listed, POLLING).toEqual(['complete'])
  await expect.poll(publishing, POLLING).toEqual([])
})
