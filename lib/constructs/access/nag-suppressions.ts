import { Stack, Validations } from 'aws-cdk-lib'
import type { IConstruct } from 'constructs'

/** Suppresses one cdk-nag AwsSolutions finding on a construct, with a reason. */
export function suppress(construct: IConstruct, rule: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason })
}

/** Suppresses findings about wildcards in a policy. Listing each pattern reveals a broader one that is added. */
export function suppressWildcards(construct: IConstruct, resources: readonly string[], reason: string): void {
  for (const resource of resources) {
    const written = flatten(Stack.of(construct).resolve(resource))
    if (written.includes('*')) suppress(construct, `IAM5[Resource::${written}]`, reason)
  }
}

/** Returns a value of a template in the notation of cdk-nag. */
function flatten(value: unknown): string {
  if (typeof value === 'string') return value
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Record<string, never>
  if (Ref) return `<${Ref}>`
  if (attribute) return `<${(attribute as string[]).join('.')}>`
  if (join) return (join[1] as unknown[]).map(flatten).join(join[0])
  return JSON.stringify(value)
}
