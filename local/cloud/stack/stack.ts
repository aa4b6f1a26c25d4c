import type { Assembly } from '../assembly.ts'
import { type RuleProperties, readRule } from '../events/rules.ts'
import type { ApiCors } from '../http/api-cors.ts'
import { type Created, createResolver } from '../intrinsics.ts'
import { queueArn } from '../queues/queues.ts'
import type { CorsRule } from '../s3/http/cors.ts'
import type { Versioning } from '../s3/store/versions.ts'
import { type CreatorsOptions, createCreators } from './creators.ts'
import { type CustomResource, isCustomResource, readCustomResources } from './custom-resource.ts'
import { readFunctions, readFunctionVersions } from './functions.ts'
import { readMachines } from './machines.ts'
import { honouredOf } from './refuse-unknown.ts'
import { readRotations } from './rotations.ts'
import { type AllOf, readAccessLogFormat, readRoutes } from './routes.ts'

export type Stack = ReturnType<typeof loadStack>

export interface LoadOptions extends Omit<CreatorsOptions, 'property' | 'nameOf'> {
  /** Deployed custom resources by logical id. */
  readonly customResources: Readonly<Record<string, CustomResource>>
}

/** Loads the resources of a template, with references resolved. @throws Error naming references to missing resources */
export function loadStack(
  { template, stackName, assetFolder }: Assembly,
  parameters: Readonly<Record<string, string>>,
  surroundings: LoadOptions,
) {
  const typeOf = (id: string) => template.Resources[id]?.Type ?? ''
  const property = (id: string, name: string) => resolve(template.Resources[id]?.Properties?.[name])
  const creators = createCreators({
    ...surroundings,
    property,
    nameOf: (id, name) => String(property(id, name) ?? `${stackName}-${id}`.toLowerCase()),
  })
  const create = (id: string): Created => {
    if (isCustomResource(typeOf(id))) return toCreated(id, surroundings.customResources[id])
    return creators[typeOf(id)]?.(id) ?? { ref: id }
  }
  const resolve = createResolver({ template, stackName, parameters, create })
  const attribute = (id: string, name: string) => resolve({ 'Fn::GetAtt': [id, name] }) as string
  const all: AllOf = (type) =>
    Object.entries(template.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id, resource]) => {
        const properties = resolve(honouredOf(resource)) as never
        return { id, ref: resolve({ Ref: id }) as string, properties }
      })

  // Resources without references exist as well.
  all('AWS::SecretsManager::Secret')
  all('AWS::IAM::AccessKey')
  const queues = all<QueueProperties>('AWS::SQS::Queue').map(({ id, ref, properties }) => ({
    name: attribute(id, 'QueueName'),
    url: ref,
    retention: Number(properties.MessageRetentionPeriod ?? 345_600),
    visibility: Number(properties.VisibilityTimeout ?? 30),
  }))
  const requireQueue = (user: string, arn: unknown): string => {
    if (typeof arn === 'string' && queues.some(({ name }) => arn === queueArn(name))) return arn
    throw new Error(`${user}: ${String(arn)} is not a queue of the stack, and only those can be dead-letter queues.`)
  }
  const functions = readFunctions({ all, assetFolder, requireQueue })
  const functionVersions = readFunctionVersions(all)
  /** Returns true if the stack has this function or version. */
  const isFunction = (arn: unknown) => [...functions, ...functionVersions].some((one) => arn === one.arn)
  const requireFunction = (user: string, arn: unknown): string => {
    if (!isFunction(arn))
      throw new Error(`${user}: ${String(arn)} is not a function of the stack, and only those can be called.`)
    return String(arn)
  }

  const machines = readMachines(all)
  const buses = all('AWS::Events::EventBus').map(({ ref }) => ref)
  const kindOf = (arn: unknown) => {
    if (machines.some((one) => one.arn === arn)) return 'machine'
    return isFunction(arn) ? 'function' : undefined
  }

  return {
    functions,
    functionVersions,
    isFunction,
    /** State machines with their published versions. */
    machines,
    /** `announces` is true if new objects become events on the bus. */
    buckets: all<BucketProperties>('AWS::S3::Bucket').map(({ ref, properties }) => ({
      name: ref,
      announces: properties.NotificationConfiguration !== undefined, // only one is supported
      versioning: properties.VersioningConfiguration?.Status,
      cors: properties.CorsConfiguration?.CorsRules ?? [],
    })),
    queues,
    /** Names of buses beside the default one. */
    buses,
    users: all('AWS::IAM::User').map(({ ref }) => ref),
    policiesOf: (user: string) =>
      Object.values(template.Resources)
        .filter(({ Type, Properties: { Users = [] } = {} }) => {
          return Type === 'AWS::IAM::Policy' && (resolve(Users) as unknown[]).includes(user)
        })
        .map(({ Properties }) => String(Properties?.PolicyName)),
    rules: all<RuleProperties>('AWS::Events::Rule')
      .filter(({ properties }) => properties.State !== 'DISABLED')
      .map(({ id, properties }) =>
        readRule({ id, arn: attribute(id, 'Arn'), properties }, { buses, kindOf, requireQueue }),
      ),
    scheduleGroups: all('AWS::Scheduler::ScheduleGroup').map(({ ref }) => ref),
    customResources: readCustomResources({ template, resolve, functions, requireFunction }),
    rotations: readRotations(all, requireFunction),
    routes: readRoutes(all, requireFunction),
    cors: all<{ CorsConfiguration?: ApiCors }>('AWS::ApiGatewayV2::Api')[0]?.properties.CorsConfiguration,
    accessLogFormat: readAccessLogFormat(all),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs ?? {}).map(([name, { Value }]) => [name, String(resolve(Value))]),
    ),
  }
}

function toCreated(id: string, resource: CustomResource | undefined): Created {
  if (!resource) throw new Error(`The custom resource ${id} is not deployed. Deploy it before the rest.`)
  const attributes = Object.entries(resource.data).map(([name, value]) => [name, String(value)])
  return { ref: resource.physicalId, attributes: Object.fromEntries(attributes) }
}

interface BucketProperties {
  NotificationConfiguration?: unknown
  VersioningConfiguration?: { Status?: Versioning }
  CorsConfiguration?: { CorsRules?: readonly CorsRule[] }
}
interface QueueProperties {
  MessageRetentionPeriod?: number
  VisibilityTimeout?: number
}
