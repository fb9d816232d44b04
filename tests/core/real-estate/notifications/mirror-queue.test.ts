import test from 'ava'
import { mirrorPause } from '../../../../core/real-estate/notifications/mirror-queue.ts'

test('a mirror that is away is tried ever more seldom, and never given up', (t) => {
  t.deepEqual([1, 2, 3, 4, 5, 6, 1_000].map(mirrorPause), [2, 5, 15, 60, 300, 300, 300])
})
