/** The numbers of published versions, which continue across deployments. */
export type PublishedVersions = ReturnType<typeof createPublishedVersions>

export function createPublishedVersions() {
  const published = new Map<string, string[]>()
  return {
    /** Returns the version of a function or machine with this content, or the next number for new content. */
    numberOf(arn: string, content: string): string {
      const contents = published.get(arn) ?? []
      published.set(arn, contents)
      if (!contents.includes(content)) contents.push(content)
      return String(contents.indexOf(content) + 1)
    },
  }
}
