import test from 'ava'
import { openDoor } from './public-types.ts'

const { forgotten, nameless } = openDoor()

test('what the door of the core exports names nothing that it does not export', (t) => {
  t.deepEqual(forgotten(), [])
})

test('whatever a member of the facade is given or answers has a name that can be imported', (t) => {
  t.deepEqual(nameless(), [])
})
