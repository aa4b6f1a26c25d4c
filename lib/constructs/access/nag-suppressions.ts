import { Stack, Validations } from 'aws-cdk-lib'
import type { IConstruct } from 'constructs'

/** Lets a construct be as it is although a rule of AwsSolutions says otherwise. */
export function suppress(construct: IConstruct, rule: string, reason: string): void {
  Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason })
}

/**
 * The same for what a policy names by a pattern. Each pattern is accepted by itself, so that a broader one, added later, is
 * found again.
 */
export function suppressWildcards(construct: IConstruct, resources: readonly string[], reason: string): void {
  for (const resource of resources) {
    const written = flatten(Stack.of(construct).resolve(resource))
    if (written.includes('*')) suppress(construct, `IAM5[Resource::${written}]`, reason)
  }
}

/** As cdk-nag writes a value of a template. */
function flatten(value: unknown): string {
  if (typeof value === 'string') return value
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Record<string, never>
  if (Ref) return `<${Ref}>`
  if (attribute) return `<${(attribute as string[]).join('.')}>`
  if (join) return (join[1] as unknown[]).map(flatten).join(join[0])
  return JSON.stringify(value)
}
