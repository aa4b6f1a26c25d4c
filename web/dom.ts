/** Returns the element with an id. @throws Error if the page has no such element with this tag */
export function byId<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, id: string): HTMLElementTagNameMap[Tag] {
  const found = document.getElementById(id)
  if (found?.localName !== tag) throw new Error(`The page has no ${tag} #${id}.`)
  return found as HTMLElementTagNameMap[Tag]
}

/** Creates an element with attributes and children. Strings become text, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value)
  created.append(...children)
  return created
}

/** Sets the text of an element, or hides the element without one. An equal text keeps selections and screen readers undisturbed. */
export function setText(target: HTMLElement, text: string | undefined): void {
  if (target.textContent !== (text ?? '')) target.textContent = text ?? ''
  target.hidden = !text
}

/** Fills a choice, and hides its label if there is at most one option. */
export function fillChoice(select: HTMLSelectElement, options: readonly { value: string; label: string }[]): void {
  select.replaceChildren(...options.map(({ value, label }) => new Option(label, value)))
  const label = select.closest('label')
  if (label) label.hidden = options.length < 2
}

/** A child of a list, which is updated in place. */
export interface View<Item> {
  readonly element: HTMLElement
  update(item: Item): void
}

/**
 * Synchronizes the children of an element with a list. Views that stay are moved only if the order changes, because a video
 * that is moved stops.
 * @returns the function that takes each new list
 */
export function createList<Item>(
  parent: HTMLElement,
  keyOf: (item: Item) => string,
  create: (item: Item) => View<Item>,
): (items: readonly Item[]) => void {
  const views = new Map<string, View<Item>>()
  return (items) => {
    const keys = new Set(items.map(keyOf))
    for (const [key, view] of views) {
      if (keys.has(key)) continue
      view.element.remove()
      views.delete(key)
    }
    let next = parent.firstElementChild
    for (const item of items) {
      const view = views.get(keyOf(item)) ?? create(item)
      views.set(keyOf(item), view)
      if (view.element === next) next = next.nextElementSibling
      else parent.insertBefore(view.element, next)
      view.update(item)
    }
  }
}
