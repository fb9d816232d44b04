import { IMAGE_TYPES } from '../../kernel/input/image.ts'
import { filesIn } from '../../office/files.ts'

/** Images that people send: a logo is shown to anybody, those of a registration to nobody. */
export const images = filesIn('payments', { kinds: ['logo', 'registration'], contentTypes: IMAGE_TYPES })

export const { storedFiles, save: saveImage, attach: attachImage, detach: detachImage } = images
