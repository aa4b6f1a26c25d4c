import { IAMClient, paginateListRoles } from '@aws-sdk/client-iam'
import { GetSecretValueCommand, ResourceNotFoundException, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { disposable } from '../../local/aws-access.ts'
import { type Check, missing, passed, unknown } from './check.ts'

/** Facts about the AWS account of the command line. A problem is the message of the SDK. */
export interface AwsFacts {
  readonly region: string | undefined
  readonly credentials: 'found' | { readonly problem: string }
  /** ARNs of the roles of the account. */
  readonly roles: readonly string[] | { readonly problem: string }
}

/** Reads facts about the account from IAM, without changing anything. @param region @default that of profile or environment */
export async function readAws(region?: string): Promise<AwsFacts> {
  using client = disposable(new IAMClient(region ? { region } : {}))
  const found = await client.config.region().catch(() => undefined)
  const problem = await client.config.credentials().then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (problem !== undefined) return { region: found, credentials: { problem }, roles: { problem } }
  const roles = await listRoles(found ? client : new IAMClient({ region: 'us-east-1' }))
  return { region: found, credentials: 'found', roles }
}

async function listRoles(client: IAMClient): Promise<AwsFacts['roles']> {
  const arns: string[] = []
  try {
    for await (const { Roles = [] } of paginateListRoles({ client, pageSize: 1_000 }, {}))
      arns.push(...Roles.flatMap(({ Arn }) => Arn ?? []))
    return arns
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Checks credentials, region and bootstrap. @param qualifier qualifier of the CDK bootstrap */
export function checkAws({ region, credentials, roles }: AwsFacts, qualifier: string): Check[] {
  return [
    credentials === 'found'
      ? passed('AWS credentials', accountOf(roles) ?? 'found')
      : missing(
          'AWS credentials',
          `None were found (${credentials.problem}). Log in as for the AWS CLI (\`aws login\`, \`aws sso login\`), or set AWS_PROFILE.`,
        ),
    region ? passed('region', region) : missing('region', 'Set region in cdk.json, or AWS_REGION.'),
    checkBootstrap(region, roles, qualifier),
  ]
}

const accountOf = (roles: AwsFacts['roles']) =>
  'problem' in roles ? undefined : /::(\d{12}):/.exec(roles[0] ?? '')?.[1]

function checkBootstrap(region: string | undefined, roles: AwsFacts['roles'], qualifier: string): Check {
  const what = 'CDK bootstrap'
  if ('problem' in roles || !region)
    return unknown(what, 'Not checked. If it is missing, the CDK asks for `npx cdk bootstrap`.')
  const name = `:role/cdk-${qualifier}-deploy-role-`
  if (roles.some((arn) => arn.includes(name) && arn.endsWith(`-${region}`))) return passed(what, qualifier)
  const account = accountOf(roles) ?? 'ACCOUNT'
  return missing(what, `Run once for the account and region: npx cdk bootstrap aws://${account}/${region}`)
}

/** Checks that a secret holds a key and secret of the platform. Its value is not returned. */
export async function holdsKey(
  SecretId: string,
  region: string,
): Promise<'yes' | 'no' | 'absent' | { problem: string }> {
  using manager = disposable(new SecretsManagerClient({ region }))
  try {
    const { SecretString = '' } = await manager.send(new GetSecretValueCommand({ SecretId }))
    return hasKey(SecretString) ? 'yes' : 'no'
  } catch (error) {
    return error instanceof ResourceNotFoundException ? 'absent' : { problem: (error as Error).message }
  }
}

function hasKey(text: string): boolean {
  try {
    const { apiKey, apiSecret } = JSON.parse(text)
    return typeof apiKey === 'string' && typeof apiSecret === 'string'
  } catch {
    return false // a new stack creates the secret with a random text
  }
}
