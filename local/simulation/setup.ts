import { CreateSecretCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import { destinationsKeyOf } from '../../lib/show/document/secret-destination.ts'
import type { ShowDocument } from '../../lib/show/document/show.ts'
import { putProject } from './deploying/deploy-stack.ts'
import { createSecretsClient } from './environment/secrets-client.ts'
import type { existingSessions } from './generator/plan.ts'
import type { GeneratedSecrets } from './generator/secrets.ts'
import { EXISTING_SESSION } from './generator/show.ts'
import type { World } from './world.ts'

type Deployed = Pick<World, 'cloud' | 'platform' | 'clock' | 'observer'>

/** Puts the secret of the platform's account, as a deployer does by hand before the deployment. */
export async function putAccountSecret({ cloud, platform, clock, observer }: Deployed): Promise<void> {
  const client = createSecretsClient({ cloud, clock })
  const { accountKey: apiKey, accountSecret: apiSecret } = platform.sandbox.account
  const account = cloud.functions.flatMap(({ environment }) => environment.ACCOUNT_SECRET || [])[0]
  if (!account) return
  const secret = { Name: account, SecretString: JSON.stringify({ apiKey, apiSecret }) }
  await client.send(new CreateSecretCommand({ ...secret, ClientRequestToken: observer.newId() }))
}

/** Puts the key and secret of a project that exists already. */
export const putProjectSecret = (deployed: Deployed): Promise<void> =>
  putProject(deployed, deployed.platform.sandbox.project)

/**
 * Puts the secrets of shows, as a deployer does by hand.
 * @param destinations servers that secrets of shows may be sent to
 */
export async function putSecrets(
  { cloud, clock, observer }: Deployed,
  secrets: GeneratedSecrets,
  destinations: readonly string[],
): Promise<void> {
  const client = createSecretsClient({ cloud, clock })
  for (const [name, values] of Object.entries(secrets)) {
    const secret = { Name: observer.variable('SHOW_SECRETS') + name, SecretString: textOf(values, destinations) }
    await client.send(new CreateSecretCommand({ ...secret, ClientRequestToken: observer.newId() }))
  }
}

/** Replaces the secrets of shows by later ones, as an owner does who deletes keys. */
export async function replaceShowSecrets(
  { cloud, clock, observer }: Pick<Deployed, 'cloud' | 'clock' | 'observer'>,
  { before, after }: { readonly before: GeneratedSecrets; readonly after: GeneratedSecrets },
  destinations: readonly string[],
): Promise<void> {
  const client = createSecretsClient({ cloud, clock })
  for (const name of Object.keys(before)) {
    const SecretString = textOf(after[name] ?? {}, destinations)
    if (SecretString === textOf(before[name] ?? {}, destinations)) continue
    const secret = { SecretId: observer.variable('SHOW_SECRETS') + name, SecretString }
    await client.send(new PutSecretValueCommand({ ...secret, ClientRequestToken: observer.newId() }))
  }
}

/** Returns the JSON of a secret, which binds every key to the destinations. */
function textOf(values: Readonly<Record<string, string>>, destinations: readonly string[]): string {
  const bound = Object.keys(values).map((key) => [destinationsKeyOf(key), destinations])
  return JSON.stringify({ ...values, ...Object.fromEntries(bound) })
}

/** Creates the session that a show names, as an app does before, and returns the show with its id. */
export async function withSession(
  { observer, audience }: Pick<World, 'observer' | 'audience'>,
  show: ShowDocument,
  kind: (typeof existingSessions)[number] = 'routed',
): Promise<ShowDocument> {
  if (show.session?.id !== EXISTING_SESSION) return show
  const platform = await observer.platform()
  const preference = kind === 'relayed' ? 'enabled' : 'disabled'
  const [session] = await platform.createSession({ 'p2p.preference': preference })
  const id = session?.session_id ?? ''
  if (kind === 'unknown') return { ...show, session: { id: `${id.slice(0, -4)}AAAA` } }
  audience.open(id, undefined)
  return { ...show, session: { id } }
}
