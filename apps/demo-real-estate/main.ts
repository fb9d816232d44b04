import { onFreshStore } from '../demo/demo.ts'
import { payments } from '../payments/app.ts'
import { realEstate } from '../real-estate/app.ts'
import { story } from './story.ts'

await onFreshStore([payments, realEstate], {}, (bank = '', url = '') => story(url, bank))
