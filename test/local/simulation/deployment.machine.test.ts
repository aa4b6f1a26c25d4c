import { readFileSync } from 'node:fs'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../bin/local/assembly.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Assembly } from '../../../local/cloud/assembly.ts'
import { createIssuer } from '../../../local/cloud/http/issuer.ts'
import { addresses } from '../../../local/simulation/environment/addresses.ts'
import { postShow } from '../../../local/simulation/environment/app/event-app.ts'
import { loadHandlers } from '../../../local/simulation/environment/handlers.ts'
import { demoParticipants } from '../../../local/simulation/environment/participants.ts'
import { readSdkFiles } from '../../../local/simulation/environment/services.ts'
import { runShow } from '../../../local/simulation/run-show.ts'
import { createQuiescence, type Quiescence } from '../../../local/simulation/scheduling/quiescence.ts'
import { createWorld, type World } from '../../../local/simulation/world.ts'

const show: ShowDocument = JSON.parse(readFileSync('examples/webinar.json', 'utf8'))
let assembly: Assembly
let quiescence: Quiescence
let world: World

beforeAll(async () => {
  assembly = await synthesizeTemplate()
})
beforeEach(async () => {
  quiescence = createQuiescence()
  const [handlers, issuer] = await Promise.all([loadHandlers(), createIssuer(() => addresses.issuer), readSdkFiles()])
  const leftOut = { StartPublish: 'media is off' }
  world = createWorld({ quiescence, assembly, seed: 1, handlers, issuer, leftOut, participants: demoParticipants })
})
afterEach(() => {
  world.close()
  quiescence.close()
})

/** The assembly with other children: they ask for what no show gives them. */
function withOtherChildren({ template, ...rest }: Assembly): Assembly {
  const definition = {
    QueryLanguage: 'JSONata',
    StartAt: 'Ask',
    States: { Ask: { Type: 'Pass', Output: '{% $states.input.nothingThatIsThere %}', End: true } },
  }
  const resources = Object.entries(template.Resources).map(([id, resource]) => {
    if (!/^(Audience|Watch|Rescue)Machine[0-9A-F]{8}$/.test(id)) return [id, resource]
    const { DefinitionSubstitutions: _, ...properties } = resource.Properties ?? {}
    return [id, { ...resource, Properties: { ...properties, DefinitionString: JSON.stringify(definition) } }]
  })
  return { ...rest, template: { ...template, Resources: Object.fromEntries(resources) } }
}

/** The result of one more show, posted now. */
const runAnother = () =>
  world.scheduler.drive(async () => {
    const { callApi, clock, until, executions, observer } = world
    const showId = await postShow(callApi, { show, key: 'another', clock })
    const isIts = ({ executionArn }: { executionArn: string }) => executionArn.endsWith(`:${showId}`)
    await until(() => executions.all.some(isIts) && !executions.running.some(isIts))
    return observer.records.readResult(showId)
  })

describe('a deployment of other children', () => {
  it('is not noticed by a show that has begun, and by the next one at once', async () => {
    const opened = world.until(() => world.events.some((event) => event['detail-type'] === 'session.opened'))
    const deployed = opened.then(() => {
      const begun = world.executions.all.map(({ machine }) => machine)
      world.cloud.deploy(withOtherChildren(assembly))
      return begun
    })
    const { result } = await runShow(world, { show, plan: undefined, seed: 1, extraSeconds: 0 })
    expect(result).toMatchObject({ status: 'succeeded', reason: 'The planned end was reached.' })
    expect(await deployed).toEqual(['show']) // so it had its children still to begin
    expect(world.executions.all.map(({ machine }) => machine)).toEqual(expect.arrayContaining(['audience', 'watch']))

    expect(await runAnother()).toMatchObject({ status: 'failed' })
  })
})
