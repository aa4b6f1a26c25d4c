/**
 * An element with attributes and children; strings become text, never markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, string>>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/**
 * Touches the page only when the text differs: selections and screen readers are left in peace. No text hides the element.
 * @param {HTMLElement} target
 * @param {string | undefined} text
 */
export function setText(target, text) {
  if (target.textContent !== (text ?? '')) target.textContent = text ?? ''
  target.hidden = !text
}

/**
 * @template Item
 * @typedef {{ element: HTMLElement, update(item: Item): void }} View
 */

/**
 * Keeps the children of an element in step with a list. Views that stay are updated where they are and never moved past one
 * another needlessly, since a video that is moved stops.
 * @template Item
 * @param {HTMLElement} parent
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => View<Item>} create
 * @returns {(items: readonly Item[]) => void}
 */
export function createList(parent, keyOf, create) {
  /** @type {Map<string, View<Item>>} */
  const views = new Map()
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
