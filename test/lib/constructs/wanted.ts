import type { Services } from '../../../lib/services.ts'
import { type Variable, variables } from '../../../lib/tasks/environment.ts'
import type { AwsCall } from './aws-calls.ts'
import type { Wanted } from './policy.ts'
import type { PlainTemplate } from './template.ts'

const ACCOUNT = '<AWS::Region>:<AWS::AccountId>'
/** An ARN as the template writes it. */
export const inAccount = (service: string, resource: string) => `arn:<AWS::Partition>:${service}:${ACCOUNT}:${resource}`

/** What a call needs of the role that makes it, in the template's words, by AWS's service authorization reference. */
export function wantedBy(call: AwsCall, template: PlainTemplate): Wanted[] {
  const { operation, input } = call
  const inWords = wordsOf(call, template)
  const arnOf = (name: string) => name.replace(/^<([^.>]+)>$/, '<$1.Arn>')
  const bucket = () => arnOf(inWords(input.Bucket))
  const object = (action: string, key = input.Key) => ({
    ...{ action: `s3:${action}`, resource: `${bucket()}/${keyInWords(key)}` },
  })
  const list = (action: string, prefix: unknown) => ({
    ...{ action: `s3:${action}`, resource: bucket() },
    prefix: String(prefix ?? ''),
  })
  /** The key is listed when the answer is 403, since that may mean that it is not there. */
  const read = () =>
    input.VersionId ? [object('GetObjectVersion')] : [object('GetObject'), list('ListBucket', keyInWords(input.Key))]
  const write = () => [
    object('PutObject'),
    ...(input.Tagging ? [object('PutObjectTagging')] : []),
    ...(input.IfMatch ? [object('GetObject')] : []), // S3 user guide, "Conditional writes"
  ]
  /** Of `<bucket>/<key>`, which may end in a version. */
  const copiedKey = () => decodeURIComponent(String(input.CopySource)).replace(/^\/?[^/]+\/|\?versionId=.*$/g, '')
  const secret = () => {
    const known = inWords(input.SecretId)
    return /^(<|arn:)/.test(known) ? known : inAccount('secretsmanager', `secret:${known}-AbCdEf`)
  }
  const onSecret = () => [{ action: `secretsmanager:${operation}`, resource: secret() }]
  const onUser = () => [{ action: `iam:${operation}`, resource: arnOf(inWords(input.UserName)) }]
  const onMachine = () => [{ action: `states:${operation}`, resource: inWords(input.stateMachineArn) }]
  const onExecution = () => {
    const [, machine, name] = /^(.+):([^:]+)$/.exec(String(input.executionArn)) ?? []
    const executions = inWords(machine?.replace(':execution:', ':stateMachine:')).replace(
      ':stateMachine:',
      ':execution:',
    )
    return [{ action: `states:${operation}`, resource: `${executions}:${name}` }]
  }
  const onSchedule = () => {
    const group = template.of('AWS::Scheduler::ScheduleGroup')[inWords(input.GroupName).slice(1, -1)]?.properties.Name
    return [{ action: `scheduler:${operation}`, resource: inAccount('scheduler', `schedule/${group}/${input.Name}`) }]
  }
  const passRole = () => ({
    ...{ action: 'iam:PassRole', resource: inWords((input.Target as { RoleArn: string }).RoleArn) },
  })

  const byOperation: Readonly<Record<string, () => Wanted[]>> = {
    GetObject: read,
    HeadObject: read,
    PutObject: write,
    CreateMultipartUpload: write,
    UploadPart: write,
    CompleteMultipartUpload: write,
    UploadPartCopy: () => [object('PutObject'), object('GetObject', copiedKey())],
    AbortMultipartUpload: () => [object('AbortMultipartUpload')],
    DeleteObject: () => [object(input.VersionId ? 'DeleteObjectVersion' : 'DeleteObject')],
    PutObjectTagging: () => [object('PutObjectTagging')],
    ListObjectsV2: () => [list('ListBucket', input.Prefix)],
    ListObjectVersions: () => [list('ListBucketVersions', input.Prefix)],
    GetSecretValue: onSecret,
    DescribeSecret: onSecret,
    PutSecretValue: onSecret,
    UpdateSecretVersionStage: onSecret,
    PutEvents: () =>
      (input.Entries as { EventBusName: string }[]).map(({ EventBusName }) => {
        const bus = inWords(EventBusName)
        return {
          action: 'events:PutEvents',
          resource: bus === 'default' ? inAccount('events', 'event-bus/default') : arnOf(bus),
        }
      }),
    StartExecution: onMachine,
    ListExecutions: onMachine,
    DescribeExecution: onExecution,
    GetExecutionHistory: onExecution,
    RedriveExecution: onExecution,
    CreateSchedule: () => [...onSchedule(), passRole()],
    UpdateSchedule: () => [...onSchedule(), passRole()],
    GetSchedule: onSchedule,
    DeleteSchedule: onSchedule,
    ListAccessKeys: onUser,
    ListUserPolicies: onUser,
    CreateAccessKey: onUser,
    UpdateAccessKey: onUser,
    DeleteAccessKey: onUser,
  }
  const wanted = byOperation[operation]
  if (!wanted) throw new Error(`Say what ${operation} needs: ${call.function} has called it.`)
  return wanted()
}

/** What lies below the key of the world's project lies below that of the project which the deployment makes. */
const keyInWords = (key: unknown) => String(key).replace(/^\d+\//, '<CredentialsProject.ApiKey>/')

/** Turns values of the world's variables into what the template gives the function in their place. */
function wordsOf({ function: name, services }: Pick<AwsCall, 'function' | 'services'>, template: PlainTemplate) {
  const given: Record<string, string> = template.of('AWS::Lambda::Function')[name]?.properties.Environment.Variables
  const own = (Object.keys(variables) as Variable[]).filter((variable) => given[variable] !== undefined)
  return (value: unknown): string => {
    const text = String(value)
    const variable = own.find((one) => services.variable(one) === text)
    if (variable) return given[variable] ?? ''
    // The other machines of shows are named like the show machine.
    const machines = own.includes('SHOW_MACHINE') ? services.variable('SHOW_MACHINE').replace(/show$/, '') : undefined
    if (machines !== undefined && text.startsWith(machines))
      return `${given.SHOW_MACHINE?.replace(/show$/, '')}${text.slice(machines.length)}`
    return isShowSecret(text, services, own)
      ? text.replace(services.variable('SHOW_SECRETS'), given.SHOW_SECRETS ?? '')
      : text
  }
}

const isShowSecret = (text: string, services: Services, own: readonly Variable[]) =>
  own.includes('SHOW_SECRETS') && text.startsWith(services.variable('SHOW_SECRETS'))
