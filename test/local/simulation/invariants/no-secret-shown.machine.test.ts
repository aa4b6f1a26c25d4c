import { readFileSync } from 'node:fs'
import { PutSecretValueCommand, RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { synthesizeTemplate } from '../../../../bin/local/assembly.ts'
import type { Assembly } from '../../../../local/cloud/assembly.ts'
import { signByClock } from '../../../../local/cloud/functions/in-process-handler.ts'
import { awsClientConfig } from '../../../../local/simulation/environment/services.ts'
import { checkWorld } from '../../../../local/simulation/runner/trial.ts'
import { simulateIn } from '../../../../local/simulation/simulate.ts'
import type { World } from '../../../../local/simulation/world.ts'
import { secrecy } from '../../../support/secrecy/per-file.ts'

const show = JSON.parse(readFileSync('examples/webinar.json', 'utf8'))
let assembly: Assembly

beforeAll(async () => {
  assembly = await synthesizeTemplate()
})
/** These tests leak on purpose, and check that it is noticed. */
afterAll(() => expect(secrecy.takeLeaks()).not.toEqual([]))

/** Returns the violations after a simulated show and `act`. */
const judgeAfter = (act: (world: World) => Promise<void>): Promise<string[]> =>
  simulateIn({ assembly, show, seed: 1 }, async (world) => {
    await world.scheduler.drive(() => act(world))
    const broken = await checkWorld(world)
    return broken.filter(({ invariant }) => invariant === 'no secret shown').map(({ detail }) => detail)
  })

function secretsOf({ cloud, clock }: World): SecretsManagerClient {
  const client = new SecretsManagerClient(awsClientConfig(cloud.aws, cloud.credentials))
  signByClock(client, clock)
  return client
}

/** Puts versions of the secret of platform callbacks, and a pending one as a rotation does. */
async function putVersions(world: World, { former, pending }: { former: readonly string[]; pending: string }) {
  const put = (all: string, VersionStages: string[]) =>
    secretsOf(world).send(
      new PutSecretValueCommand({
        SecretId: world.observer.variable('PLATFORM_CALLBACKS'),
        SecretString: JSON.stringify({ all }),
        VersionStages,
      }),
    )
  for (const value of former) await put(value, ['AWSCURRENT'])
  await put(pending, ['AWSPENDING'])
}

describe('noSecretShown', () => {
  it('knows every version that a secret ever had', async () => {
    const details = await judgeAfter(async (world) => {
      const former = ['first of all', 'second of all', 'third of all', 'fourth of all']
      await putVersions(world, { former, pending: 'the one to come' })
      const write = (text: string) => world.observer.storage.put('a-note', text, 'text/plain')
      for (const text of ['first of all', 'fourth of all', 'nothing']) await write(text)
      world.cloud.events.putEvents({
        Entries: [
          {
            EventBusName: world.observer.variable('EVENT_BUS'),
            ...{ Source: 'showrunner.platform', DetailType: 'a slip', Detail: '{"all":"the one to come"}' },
          },
        ],
      })
    })
    expect(details).toEqual([
      'a version of the object a-note shows PLATFORM_CALLBACKS all',
      'a version of the object a-note shows PLATFORM_CALLBACKS of another version all',
      'the event a slip shows PLATFORM_CALLBACKS of another version all',
    ])
  })

  it('finds keys of IAM, also deleted ones', async () => {
    const details = await judgeAfter(async (world) => {
      const { observer, cloud, handedOut } = world
      await secretsOf(world).send(new RotateSecretCommand({ SecretId: observer.variable('UPLOAD_SECRET') }))
      await cloud.settled()
      const key = handedOut.all.find(({ name }) => name === 'a secret access key')
      await observer.storage.put('a-note', `It is ${key?.value}.`, 'text/plain')
    })
    expect(details).toContainEqual(expect.stringMatching(/^the object a-note shows UPLOAD_SECRET secretAccessKey$/))
  })
})
