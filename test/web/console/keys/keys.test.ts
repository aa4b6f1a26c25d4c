import { describe, expect, it } from 'vitest'
import { linkTo, placeOf } from '../../../../web/console/keys/deep-link.ts'
import { actionOf, keyActions } from '../../../../web/console/keys/key-list.ts'

describe('placeOf', () => {
  it('reads what linkTo writes', () => {
    for (const place of [{ show: 'a-1' }, { show: 'a-1', tab: 'execution' }, { recording: 'b-2' }])
      expect(placeOf(linkTo(place))).toEqual(place)
  })

  it('has no place without an id', () => {
    expect(['', '#', '#show=', '#show=a%22b', '#tab=execution', '#recording=../x'].map(placeOf)).toEqual(
      Array.from({ length: 6 }),
    )
  })
})

describe('actionOf', () => {
  const pressed = (key: string, changes = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...changes })

  it('has a different key for each action', () => {
    const actions = keyActions.map(({ key }) => actionOf(pressed(key), false))
    expect(actions).toEqual(keyActions.map(({ action }) => action))
    expect(actionOf(pressed('?'), false)).toBe('help')
  })

  it('leaves keys to fields and to the browser', () => {
    expect(actionOf(pressed('x'), true)).toBeUndefined()
    expect(actionOf(pressed('c', { ctrlKey: true }), false)).toBeUndefined()
    expect(actionOf(pressed('q'), false)).toBeUndefined()
  })
})
