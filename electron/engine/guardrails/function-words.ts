/** Words that join others to a sentence, by language: lists of names, labels and keywords have few. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'a an and any are as at be been before but by can do does for from had has have how if in into is it its must never no not now of on only or our so than that the their them then there these they this those to until was we were what when where which who whom will with without you your yours',
  de: 'aber als am an auch auf aus bei bis damit dann das dass dein deine deinen dem den denn der des die dir du durch ein eine einem einen einer es für gegen hat ihm ihn ihr im in ist ja jede jeden kein keine mit muss nach nicht nie niemand nur ob oder ohne sein seine sich sie sind so und uns vom von vor was wenn wer wie wird zu zum zur über',
  fr: 'à au aux avec ce ces cette comme dans de des du elle en est et eux il ils je jamais la le les leur lui mais ne ni nous on ou où par pas plus pour qu que qui quoi sa sans se ses si son sont sur ta te tes toi ton tu un une vos votre vous y',
  es: 'a al ante con contra de del desde donde el ella en entre era es esta este esto la las le les lo los más me mi muy nada ni no nos nunca o para pero por que quien se ser si sin sobre son su sus te tu tus un una y ya',
  pt: 'a ao aos as até com como da das de dele do dos e em entre esta este eu foi isso já mais mas me na nas nem no nos nunca o os ou para pela pelo por que quem se sem ser seu seus sua são também te tem um uma você à é',
  it: 'a ai al alla alle anche che chi ci con cui da dal dalla dei del della delle di dove e ed gli ha i il in io la le lo ma mai me mi ne nei nel nella non o ogni per più poi quando se sei senza si sono su sua suo ti tra tu tua tuo un una vi è',
  nl: 'aan al als bij dan dat de die dit door een en er geen haar het hij hoe ik in is je jij jouw maar met mijn naar niet nooit nu of om onder ook op over te tot u uit uw van voor wat wel wie wordt zijn zonder',
  pl: 'ale albo bez być ci co czy dla do gdy i ich jak jest jego już kiedy ma mi na nad nie nigdy o od po pod przez się są ta tak te ten to tobie tu twoje twój ty tylko w we więc z za ze że',
  ru: 'без бы был было быть в вам вас все всё вы где да для до его ее её если есть ещё же за и из или им их к как когда кто ли мне на не него нет ни никогда никому но о об от по под при с себя со так твой тебе то того только ты у уже чем что чтобы это я',
  uk: 'а або без був бути в ви все де для до є же за з і із й його її к коли ми на не ні ніколи о по під при та так твій ти тільки то у це чи що щоб як якщо',
  tr: 'ama ancak bir bu da daha de diye en gibi hiç için ile ise kadar ki mi mı mu mü ne olarak olan sana sen senin ve veya ya',
  sv: 'alla att av de den det din du där efter en ett eller från för han har i inte kan med men när och om på ska som så till utan vad var vi är',
  id: 'agar akan anda atau dan dari dengan di dia ini itu jangan jika kamu karena ke oleh pada saat semua tanpa tapi telah tidak untuk yang',
  vi: 'bạn bị các cho có của cùng đã đang đây để đến đó được hãy hoặc không khi là lại mà mọi nào này nếu người những nhưng phải rằng ra sẽ tất thì trong từ và vào về với',
  ar: 'أن إلى أو أي إذا التي الذي الى ان أنت بل بعد بين ثم حتى عن عند على في قبل كل كما لا لكن لم لن ما مع من هذا هذه هل هو هي و يا',
  hi: 'अगर अपना अपनी अपने आप इस इसे उस एक और कर करना करो का कि किसी की के को जो तक तुम तो था थे न नहीं ने पर बिना भी मत में या यह ये वह से है हैं हो',
  ko: '그 그리고 꼭 너는 네가 다 더 및 수 안 않고 이 이제 저 절대 할 것',
}
const ALL: ReadonlySet<string> = new Set(Object.values(WORDS).flatMap((words) => words.split(' ')))
/** Particles and pronouns of languages without spaces. */
const UNSPACED = /[をにはがでと]|の|[的了把给在不要你请并被将让]/u

const LONGEST = Math.max(...Array.from(ALL, ({ length }) => length))
/** Less is Latin. */
const FIRST_UNSPACED = 0x3040

export const isFunctionWord = (word: string): boolean =>
  (word.length <= LONGEST && ALL.has(word.toLowerCase())) ||
  (word.charCodeAt(0) >= FIRST_UNSPACED && UNSPACED.test(word))
