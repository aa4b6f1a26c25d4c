interface Resource {
  readonly Properties?: unknown
  DependsOn?: string | string[]
}

/** Removes each `DependsOn` that a reference implies: cfn-lint warns of each (W3005), which would hide other warnings. */
export function removeRedundantDependencies(template: {
  readonly Resources?: Readonly<Record<string, Resource>>
}): void {
  for (const resource of Object.values(template.Resources ?? {})) {
    const { DependsOn: dependsOn, Properties: properties } = resource
    if (dependsOn === undefined) continue
    const implied = new Set(referencesIn(properties))
    const needed = [dependsOn].flat().filter((id) => !implied.has(id))
    if (needed.length > 0) resource.DependsOn = needed
    else delete resource.DependsOn
  }
}

/** Logical ids in `Ref` and `Fn::GetAtt`, the forms that the CDK writes; names of parameters among them do no harm. */
function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, argument]) => {
    if (name === 'Ref') return [String(argument)]
    if (name === 'Fn::GetAtt') return [String([argument].flat()[0])]
    return referencesIn(argument)
  })
}
