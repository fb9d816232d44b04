// Runs in test:long only.
import test from 'ava'
import { imageFile } from '../../../../apps/http/bodies/image.ts'
import { image, MAX_IMAGE_BYTES } from '../../../../core/kernel/input/image.ts'
import { GROWTH, growthOf, MAX_GROWTH } from '../../../growth.ts'
import { HOSTILE } from './hostile-images.ts'

const file = imageFile(image({ types: ['image/png', 'image/jpeg'] }))
const upload = (bytes: Uint8Array) => ({ fileName: 'a.png', contentType: 'image/png', bytes })

for (const [about, bytes] of Object.entries(HOSTILE))
  test.serial(`reads two megabytes in linear time: ${about}`, async (t) => {
    const [part, whole] = [upload(bytes(MAX_IMAGE_BYTES / GROWTH)), upload(bytes(MAX_IMAGE_BYTES))]
    const growth = await growthOf(
      () => file.read(part),
      () => file.read(whole),
    )
    t.true(growth < MAX_GROWTH, growth.toFixed(1))
  })
