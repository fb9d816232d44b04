import type { ImageType } from '../../kernel/input/image.ts'
import { readUseCase } from '../../kernel/running/use-case.ts'
import type { OpenFile } from '../../office/files.ts'
import { images } from '../office/files.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

export type OpenedImage = OpenFile<ImageType>

/** A logo that an account has, by the id of its file: anybody may see it. Fails: `logo.unknown`, for any other file too. */
export const openLogo = (ports: Pick<PaymentsPorts, 'store' | 'files'>) => (id: string) =>
  readUseCase('logo.unknown', () => images.open(ports, 'logo', id))
