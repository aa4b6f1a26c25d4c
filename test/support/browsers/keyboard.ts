import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Presses of Tab between two readings of the page, and those after which an order of tabs that does not end fails. */
const PRESSES = 25
const MAX_PRESSES = 1_000

/** Notes the elements that listen to the pointer, from the next load of a page on. */
export const notePointerTargets = async (page: Page): Promise<void> => void (await page.addInitScript(NOTE_TARGETS))

/**
 * Moves through a page by Tab, from its beginning. Every control must be reached, and show that it has the focus. Arrow keys move
 * inside a list of which one row is reached. Elements that listen to the pointer must be controls of HTML, which keys operate.
 * @param when is named when something is wrong
 */
export async function expectOperable(page: Page, when: string): Promise<void> {
  await page.evaluate(BEGIN)
  let presses = 0
  do {
    for (let index = 0; index < PRESSES; index++) await page.keyboard.press('Tab')
    presses += PRESSES
  } while (presses < MAX_PRESSES && !(await page.evaluate<boolean>('operability.isDone()')))
  expect(await page.evaluate<string[]>('operability.end()'), when).toEqual([])
}

const NOTE_TARGETS = `globalThis.pointerTargets = new Set()
const { addEventListener } = EventTarget.prototype
EventTarget.prototype.addEventListener = function (type, ...rest) {
  if (/^(click|dblclick|mousedown|pointerdown|dragstart)$/.test(type) && this instanceof Element) pointerTargets.add(this)
  return addEventListener.call(this, type, ...rest)
}`

const BEGIN = `(() => {
  const CONTROLS = 'a[href], button, input, select, textarea, summary, video[controls], audio[controls], [tabindex="0"]'
  const isShown = (one) => one.isConnected && one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled')
  const isInOrder = (one) => one.tabIndex >= 0
  const nameOf = (one) => one.localName + ' ' + (one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 60) ?? one.id)
  const expected = [...document.querySelectorAll(CONTROLS)].filter((one) => isShown(one) && isInOrder(one))
  const reached = new Set()
  const faint = new Set()
  let isAround = false
  const note = ({ target }) => {
    if (reached.has(target) && target === [...reached][0] && reached.size > 1) isAround = true
    reached.add(target)
    const { outlineStyle, outlineWidth } = getComputedStyle(target)
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 1) faint.add(target)
  }
  document.activeElement?.blur()
  getSelection()?.removeAllRanges()
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
  document.addEventListener('focusin', note)
  globalThis.operability = {
    isDone: () => isAround,
    end() {
      document.removeEventListener('focusin', note)
      const lists = [...document.querySelectorAll('[tabindex="-1"]')].filter((one) => isShown(one) && one.matches(CONTROLS))
      return [
        ...expected.filter((one) => isShown(one) && isInOrder(one) && !reached.has(one)).map((one) => 'not reached: ' + nameOf(one)),
        ...[...faint].map((one) => 'no visible focus: ' + nameOf(one)),
        ...lists
          .filter((one) => ![...(one.closest('ol, ul')?.querySelectorAll(one.localName) ?? [])].some((other) => other.tabIndex === 0))
          .map((one) => 'no row of its list is reached: ' + nameOf(one)),
        ...[...pointerTargets].filter((one) => isShown(one) && !one.matches(CONTROLS)).map((one) => 'for the pointer only: ' + nameOf(one)),
      ]
    },
  }
})()`
