import type { Page } from 'playwright-core'

/** Messages of a browser about a page that breaks its own policy. */
const REFUSED = /Content Security Policy|Permissions[ -]Policy|Refused to|Mixed Content|Uncaught|Deprecat/

/**
 * Collects the defects of a page that its browser reports: errors that nothing caught, and what a policy refused. Other
 * messages are left out, since a busy machine causes some: a connection that was reset, a picture that came late.
 */
export function collectComplaints(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => REFUSED.test(message.text()) && complaints.push(message.text()))
  return complaints
}
