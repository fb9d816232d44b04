import { onFreshStore } from '../demo/on-fresh-store.ts'
import { payments } from '../payments/startable.ts'
import { realEstate } from '../real-estate/startable.ts'
import { story } from './story.ts'

await onFreshStore([payments, realEstate], {}, (bank = '', url = '') => story(url, bank))
