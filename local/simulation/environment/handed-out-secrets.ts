import type { SearchedSecret } from './secret-search.ts'

type Fetch = (request: Request) => Promise<Response>

const PROJECT = /\/v2\/project(\/\d+(\/refreshSecret)?)?$/
const SIGNED_FOR_IAM = /\/iam\/aws4_request/

/** Collects secrets that the platform and IAM created and returned to a caller, even if the caller did not store them. */
export function createHandedOutSecrets() {
  const all: SearchedSecret[] = []
  const reading =
    (target: Fetch, name: string, isRead: (request: Request) => boolean, pattern: RegExp): Fetch =>
    async (request) => {
      const response = await target(request)
      if (!isRead(request)) return response
      for (const [, value = ''] of (await response.clone().text()).matchAll(pattern)) all.push({ name, value })
      return response
    }
  return {
    all,
    /** Wraps the platform to read the secrets in its answers about projects. */
    readPlatform: (platform: Fetch) =>
      reading(platform, 'a project’s secret', ({ url }) => PROJECT.test(new URL(url).pathname), /"secret":"([^"]+)"/g),
    /** Wraps AWS to read the secrets in IAM’s answers about access keys. */
    readAws: (aws: Fetch) =>
      reading(
        aws,
        'a secret access key',
        ({ headers }) => SIGNED_FOR_IAM.test(headers.get('authorization') ?? ''),
        /<SecretAccessKey>([^<]+)</g,
      ),
  }
}
