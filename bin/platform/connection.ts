import { resolve } from 'node:path'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { PlatformClientOptions } from '../../lib/platform/client/options.ts'
import type { Operation } from '../../lib/platform/contract/operation.ts'
import { type AwsAccess, disposable } from '../local/aws-access.ts'
import { findRunningLocal, localFileOf, type RunningLocal } from '../local/local-file.ts'

/** The address of the platform and the caller's credentials: a description and a variable of the environment for each. */
export const connectionOptions = {
  platformUrl: { variable: 'PLATFORM_URL', is: 'base URL of the platform (default: that of the running Showrunner)' },
  insightsUrl: { variable: 'PLATFORM_INSIGHTS_URL', is: 'URL of Insights, for queryInsights' },
  authHeader: { variable: 'PLATFORM_AUTH_HEADER', is: 'header that carries the token (default: X-SERVICE-AUTH)' },
  apiKey: { variable: 'PLATFORM_API_KEY', is: 'the project’s key' },
  apiSecret: { variable: 'PLATFORM_API_SECRET', is: 'the project’s secret' },
  accountKey: { variable: 'PLATFORM_ACCOUNT_KEY', is: 'the account’s key' },
  accountSecret: { variable: 'PLATFORM_ACCOUNT_SECRET', is: 'the account’s secret' },
} as const

/** Name of a connection option. */
export type ConnectionOption = keyof typeof connectionOptions
type Given = Readonly<Partial<Record<ConnectionOption, string>>>

/** Returns the options that the connection of an operation may need. */
export function connectionOptionsOf({ credentials, base }: Operation): ConnectionOption[] {
  const own =
    credentials === 'account' ? (['accountKey', 'accountSecret'] as const) : (['apiKey', 'apiSecret'] as const)
  return ['platformUrl', ...(base === 'insights' ? (['insightsUrl'] as const) : []), 'authHeader', ...own]
}

/**
 * Finds the options of the client: first in the command's options, then in the environment. If neither names a platform, it
 * uses the running local platform. The local credentials are never sent to a named platform.
 * @throws Error if an option is missing
 */
export async function findPlatformConnection(
  name: string,
  operation: Operation,
  { given, environment, directory }: { given: Given; environment: NodeJS.ProcessEnv; directory: string },
): Promise<PlatformClientOptions> {
  const wanted = connectionOptionsOf(operation)
  const named = Object.fromEntries(
    wanted.map((option) => [option, given[option] || environment[connectionOptions[option].variable]]),
  ) as Given
  const all = named.platformUrl ? named : { ...(await connectionOf(await findLocal(directory))), ...definedIn(named) }

  const missing = wanted.filter((option) => !all[option] && option !== 'authHeader')
  if (missing.length > 0) {
    const variables = missing.map((option) => connectionOptions[option].variable).join(' and ')
    const what = missing.map((option) => connectionOptions[option].is.replace(/(,| \().*$/, '')).join(' and ')
    throw new Error(`${name} needs ${what}: set ${variables}, or pass the options that --help lists.`)
  }
  const { platformUrl: baseUrl = '', insightsUrl, authHeader, apiKey, apiSecret, accountKey, accountSecret } = all
  return {
    baseUrl,
    ...(insightsUrl && { insightsUrl }),
    ...(authHeader && { authHeader }),
    ...(operation.credentials === 'account'
      ? { account: { key: accountKey as string, secret: accountSecret as string } }
      : { apiKey: apiKey as string, apiSecret: apiSecret as string }),
  }
}

const definedIn = (given: Given): Given => Object.fromEntries(Object.entries(given).filter(([, value]) => value))

const connectionOf = async ({ sandboxUrl, sandboxAccess, awsAccess, outputs }: RunningLocal): Promise<Given> => ({
  platformUrl: sandboxUrl,
  ...sandboxAccess,
  ...(await readProjectKey(awsAccess, outputs.ProjectSecretArn)),
})

/** Reads the current key and secret of the local project. A rotation may have replaced those of its start. */
async function readProjectKey(access: AwsAccess, SecretId: string | undefined): Promise<Given> {
  if (!SecretId) return {}
  using manager = disposable(new SecretsManagerClient(access))
  const { SecretString = '' } = await manager.send(new GetSecretValueCommand({ SecretId }))
  return JSON.parse(SecretString)
}

async function findLocal(directory: string): Promise<RunningLocal> {
  return findRunningLocal(localFileOf(resolve(directory))).catch((cause: Error) => {
    throw new Error(`No platform is named. ${cause.message.replace(/\.$/, '')}, or set PLATFORM_URL.`, { cause })
  })
}
