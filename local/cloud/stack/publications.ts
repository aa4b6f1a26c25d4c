/** The numbers of published versions, which continue across deployments. */
export interface Publications {
  /** Returns the version of a function or machine with this content, or the next number for new content. */
  numberOf(arn: string, content: string): string
}

export function createPublications(): Publications {
  const published = new Map<string, string[]>()
  return {
    numberOf(arn, content) {
      const contents = published.get(arn) ?? []
      published.set(arn, contents)
      if (!contents.includes(content)) contents.push(content)
      return String(contents.indexOf(content) + 1)
    },
  }
}
