import { rotationSteps } from '../../../lib/tasks/operations.ts'
import { type Interceptor, isCall, passing } from '../../support/world/interceptors.ts'
import { openWorld } from '../../support/world.ts'
import { run } from '../run.ts'

type Step = (typeof rotationSteps)[number]

/** Matches the call that sets the key with which the platform uploads. */
export const isTarget = isCall('PUT', /\/archive\/storage$/)

/** Opens a world whose calls to the platform are intercepted, and the steps of the rotation of its upload key. */
export function openKeyRotation() {
  const world = openWorld()
  /** Keys that were set for uploads, in order. */
  const targets: string[] = []
  /** Notes the keys that are set for uploads, and passes calls to another interceptor. */
  const interceptPlatform = (otherwise: Interceptor = passing): void => {
    world.interceptors.platform = async (request, pass) => {
      if (isTarget(request))
        targets.push(((await request.clone().json()) as { config: { accessKey: string } }).config.accessKey)
      return otherwise(request, pass)
    }
  }
  interceptPlatform()
  const step = (Step: Step, ClientRequestToken: string) =>
    run(world, 'rotateUploadKey', { Step, SecretId: world.secretArns.upload, ClientRequestToken })
  return {
    world,
    targets,
    interceptPlatform,
    step,
    followUp: () => run(world, 'rotateUploadKey', { Step: 'followUp' }),
    revoke: () => run(world, 'rotateUploadKey', { Step: 'revoke' }),
    /** Runs the steps as Secrets Manager asks for them. */
    rotateBySecretsManager() {
      world.rotators.upload = (event) => run(world, 'rotateUploadKey', event as never)
    },
    /** Does a whole rotation, each step of it so many times. Returns its version. */
    async rotate(times = 1): Promise<string> {
      const version = await world.beginRotation('upload')
      for (const name of rotationSteps) for (let time = 0; time < times; time++) await step(name, version)
      return version
    },
    /** Returns the id of the key in a version of the secret. @default the current version */
    keyIn: async (stage?: string) =>
      ((await world.valueOf('upload', stage)) as { accessKeyId: string } | undefined)?.accessKeyId,
    statuses: () => world.uploadKeys().map(({ status }) => status),
  }
}

export type KeyRotation = ReturnType<typeof openKeyRotation>

/** Holds uploads of the platform. `begun` resolves with the first upload, and `release` lets all of them continue. */
export function holdUploads({ world }: Pick<KeyRotation, 'world'>) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  /** Ids of the keys of all uploads. */
  const usedKeys = new Set<string>()
  world.interceptors.uploads = async (request, pass) => {
    usedKeys.add(/Credential=(\w+)/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '')
    begin()
    await released
    return pass()
  }
  return { begun, release, usedKeys }
}
