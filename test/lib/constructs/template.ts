/** A CloudFormation template as tests read it: every reference is text, and logical ids have lost their hashes. */
export interface PlainTemplate {
  readonly resources: readonly Resource[]
  /** Values of the outputs, by name. */
  readonly outputs: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** All of a type, by id. */
  of(type: string): Readonly<Record<string, Resource>>
  /** What a role or a user may do, one line for each action and resource: `s3:GetObject on <Bucket.Arn>/shows/*`. */
  allowedTo(principal: string): string[]
}

export interface Resource {
  readonly id: string
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: properties are looked into by many tests, each of another type
  readonly properties: any
  /** What happens to it when the stack goes. */
  readonly deletionPolicy: string | undefined
  /** Ids of what is made before it and deleted after it, beside what it refers to. */
  readonly dependsOn: readonly string[]
}

interface RawResource {
  readonly Type: string
  readonly Properties?: object
  readonly DeletionPolicy?: string
  readonly DependsOn?: string | string[]
}

interface RawTemplate {
  readonly Resources?: Readonly<Record<string, RawResource>>
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>
  readonly Parameters?: PlainTemplate['parameters']
}

interface Statement {
  readonly Effect: string
  readonly Action: string | string[]
  readonly Resource: string | string[]
  readonly Condition?: { readonly StringLike?: { readonly 's3:prefix': string | string[] } }
}

export function readTemplate({ Resources, Outputs, Parameters }: RawTemplate): PlainTemplate {
  const resources = Object.entries(Resources ?? {}).map(
    ([id, { Type, Properties, DeletionPolicy, DependsOn = [] }]): Resource => ({
      id: plainId(id),
      type: Type,
      properties: plain(Properties ?? {}),
      deletionPolicy: DeletionPolicy,
      dependsOn: [DependsOn].flat().map(plainId),
    }),
  )
  const of = (wanted: string) =>
    Object.fromEntries(resources.filter(({ type }) => type === wanted).map((resource) => [resource.id, resource]))
  const allowedTo = (principal: string) =>
    // The CDK continues a policy that is too large for its role in managed ones.
    Object.values({ ...of('AWS::IAM::Policy'), ...of('AWS::IAM::ManagedPolicy') })
      .filter(({ properties: { Roles = [], Users = [] } }) => [...Roles, ...Users].includes(`<${principal}>`))
      .flatMap(({ properties }) => properties.PolicyDocument.Statement as Statement[])
      .flatMap(linesOf)
      .sort()
  const outputs = Object.fromEntries(Object.entries(Outputs ?? {}).map(([name, { Value }]) => [name, plain(Value)]))
  return { resources, outputs, parameters: Parameters ?? {}, of, allowedTo }
}

function linesOf({ Effect, Action, Resource, Condition }: Statement): string[] {
  const prefixes = [Condition?.StringLike?.['s3:prefix'] ?? []].flat()
  const condition = Condition ? ` with ${prefixes.join(' ') || JSON.stringify(Condition)}` : ''
  const denied = Effect === 'Allow' ? '' : `${Effect} `
  return [Action].flat().flatMap((action) => [Resource].flat().map((one) => `${denied}${action} on ${one}${condition}`))
}

/** A version's hash goes first: it may end in eight digits itself. */
const plainId = (id: string) => id.replace(/CurrentVersion[0-9A-Fa-f]{40}$/, 'Version').replace(/[0-9A-F]{8}$/, '')

/** The value with intrinsic functions written out as text. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join, 'Fn::Select': select } = value as Record<string, never>
  const { 'Fn::If': choice } = value as { 'Fn::If'?: [string, unknown, unknown] }
  if (choice) return `${plain(choice[1])} if ${choice[0]}, otherwise ${plain(choice[2])}`
  if (Ref) return `<${plainId(Ref)}>`
  if (attribute) return `<${plainId(attribute[0])}.${attribute[1]}>`
  if (join) return (plain(join[1]) as string[]).join(join[0])
  if (select) return `${plain(select[1]['Fn::Split'][1])}[${select[0]}]`
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}
