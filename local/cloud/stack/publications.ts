/** The numbers of published versions, which go on from one deployment to the next. */
export interface Publications {
  /** The version of this function or machine that was published of this content: of what is new, the next number. */
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
