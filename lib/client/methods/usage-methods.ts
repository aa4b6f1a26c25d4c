// Generated from lib/api by `npm run docs`: change it there.
import type { Usage } from '../documents.ts'
import type { CallOptions } from '../options.ts'

/** Client methods of usage. */
export interface UsageMethods {
  /**
   * Reads the daily usage of the platform project.
   *
   * Insights report a day up to two days later, so the latest days may be missing.
   *
   * `GET /usage`, for the role viewer.
   *
   * @param query
   * - `from`: The first day (UTC), not after `to`. Up to 90 days are answered. Default: 30 days before `to`.
   * - `to`: The last day (UTC), not before `from`. Default: today.
   * @example
   * ```ts
   * const answer = await showrunner.usage.get()
   * ```
   */
  get(
    query?: { readonly from?: string | undefined; readonly to?: string | undefined },
    options?: CallOptions,
  ): Promise<Usage>
}
