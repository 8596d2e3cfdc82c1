/** Short texts of many kinds, as tools return them, to test token counters. */

export const samples: Record<string, string> = {
    'English prose': `The meeting began a little after nine. Nobody had read the report, but everybody had an opinion about
it, and so the first hour went by without a single decision. Martha, who had written most of it, listened politely and
took notes. "We could simply ask the customers," she said at last. There was a pause. The idea had apparently not
occurred to anyone, although it was mentioned twice on the first page and again, in bold letters, in the summary.
By noon they had agreed to send a short questionnaire to two hundred households along the northern coast, where the
outages had been worst, and to meet again in October. It rained on the way home; the trains were late.`,
    'code': `export async function retry<T>(action: () => Promise<T>, attempts = 3, delayMs = 250): Promise<T> {
    let lastError: unknown;
    for (let attempt = 1; attempt <= attempts; attempt++) {
        try {
            return await action();
        } catch (error) {
            lastError = error;
            if (attempt < attempts) {
                await new Promise((resolve) => setTimeout(resolve, delayMs * 2 ** (attempt - 1)));
            }
        }
    }
    throw new Error(\`failed after \${attempts} attempts\`, { cause: lastError });
}
`.repeat(2),
    'JSON': JSON.stringify(Array.from({ length: 12 }, (_, n) => ({
        id: 4711 + 37 * n, name: ['Keyboard', 'Monitor', 'Desk lamp', 'Cable'][n % 4], price: 19.9 + n * 7.35,
        in_stock: n % 3 !== 0, tags: ['office', 'hardware'], updated_at: `2025-03-${10 + n}T08:${15 + n}:00Z`,
    })), null, 2),
    'log': Array.from({ length: 14 }, (_, n) =>
        `2025-03-${10 + n} 08:1${n % 6}:42,${117 + n * 31} INFO  [worker-${n % 4}] org.example.batch.JobRunner - Task `
        + `attempt_14451444${n}_0005_m_00000${n % 10} progress is: ${(n / 14).toFixed(3)} from 10.190.${n}.${190 - n}`).join('\n'),
    'base64': 'iVBORw0KGgoAAAANSUhEUgAAAMgAAADICAYAAACtWK6eAAAACXBIWXMAAAsTAAALEwEAmpwYAAAFm0lEQVR4nO3dS24bRxRA0SsvIJlk'
        + 'K15AdpHtZBkZZBdeghfgTXgDHmYUIAgCJEFsSRTZ3VX1Xt1zRgYMU91V71ZRhgTf7vf7HfjKj7MvACoTEAgEBAIBgUBAIBAQCAQEAgGBQEAg'
        + 'EBAIBAQCAYFAQCAQEAgEBAIBgUBAIBAQCAQEAgGBQEAgEBAIBAQCAYFAQCAQ3w8a9OqVt6W9x2V4NfYu',
    'Chinese': `会议在九点过后不久开始。没有人读过那份报告，但每个人都对它有自己的看法，因此第一个小时过去了，却没有做出任何决定。
报告的大部分内容是玛莎写的，她礼貌地听着，并做了笔记。“我们可以直接去问客户。”她最后说道。大家沉默了一会儿。
显然谁也没有想到这个主意，尽管第一页上提到了两次，摘要里又用粗体字写了一遍。到中午的时候，他们同意向北部沿海的两百户家庭
发送一份简短的问卷，那里的停电情况最为严重，并决定十月份再次开会。回家的路上下起了雨，火车也晚点了。
系统错误：无法连接到数据库服务器，请检查网络设置后重试。订单状态：已发货，预计三天内送达。`,
    'Japanese': `会議は九時過ぎに始まった。誰も報告書を読んでいなかったが、誰もがそれについて意見を持っていたので、最初の一時間は
何も決まらないまま過ぎていった。報告書の大部分を書いたマーサは、丁寧に耳を傾け、メモを取っていた。「お客様に直接聞いてみれば
いいのではないでしょうか」と彼女はようやく言った。しばらく沈黙が続いた。その考えは最初のページに二度、要約にも太字で書かれて
いたのに、誰も思いつかなかったらしい。正午までに、停電が最もひどかった北海岸の二百世帯に短いアンケートを送ることが決まった。
エラー：データベースサーバーに接続できません。ネットワークの設定を確認してから、もう一度お試しください。`,
    'Korean': `회의는 아홉 시가 조금 지나서 시작되었다. 아무도 보고서를 읽지 않았지만 모두가 그것에 대해 의견을 가지고 있었고,
그래서 처음 한 시간은 아무런 결정 없이 지나갔다. 보고서의 대부분을 쓴 마사는 공손하게 들으며 메모를 했다. "고객에게 직접
물어보면 되지 않을까요?" 그녀가 마침내 말했다. 잠시 침묵이 흘렀다. 첫 페이지에 두 번, 요약문에는 굵은 글씨로 적혀 있었는데도
아무도 그 생각을 하지 못한 것이 분명했다. 정오까지 그들은 정전이 가장 심했던 북부 해안의 이백 가구에 짧은 설문지를 보내기로 했다.
오류: 데이터베이스 서버에 연결할 수 없습니다. 네트워크 설정을 확인한 후 다시 시도하십시오.`,
    'Russian': `Совещание началось в начале десятого. Отчёт никто не прочитал, но у каждого было о нём своё мнение, и поэтому
первый час прошёл без единого решения. Марта, которая написала большую его часть, вежливо слушала и делала заметки.
«Мы могли бы просто спросить клиентов», — сказала она наконец. Наступила пауза. Эта мысль, по-видимому, никому не
приходила в голову, хотя она дважды упоминалась на первой странице и ещё раз, жирным шрифтом, в заключении.
Ошибка: не удалось подключиться к серверу базы данных. Проверьте настройки сети и повторите попытку.`,
    'Greek': `Η σύσκεψη άρχισε λίγο μετά τις εννέα. Κανείς δεν είχε διαβάσει την έκθεση, όμως όλοι είχαν άποψη γι' αυτήν, κι
έτσι η πρώτη ώρα πέρασε χωρίς καμία απόφαση. Η Μάρθα, που είχε γράψει το μεγαλύτερο μέρος της, άκουγε ευγενικά και
κρατούσε σημειώσεις. «Θα μπορούσαμε απλώς να ρωτήσουμε τους πελάτες», είπε τελικά.`,
    'French': `La réunion commença peu après neuf heures. Personne n'avait lu le rapport, mais chacun avait son avis là-dessus, si
bien que la première heure s'écoula sans qu'aucune décision ne fût prise. Marthe, qui en avait rédigé la majeure partie,
écoutait poliment et prenait des notes. « Nous pourrions tout simplement interroger les clients », dit-elle enfin.
L'idée n'était apparemment venue à personne, bien qu'elle fût évoquée deux fois à la première page.`,
    'Vietnamese': `Cuộc họp bắt đầu hơn chín giờ một chút. Không ai đọc bản báo cáo, nhưng ai cũng có ý kiến về nó, vì vậy giờ đầu
tiên trôi qua mà không có quyết định nào. Martha, người đã viết phần lớn bản báo cáo, lịch sự lắng nghe và ghi chép.
“Chúng ta có thể hỏi thẳng khách hàng,” cuối cùng cô nói. Lỗi: không thể kết nối với máy chủ cơ sở dữ liệu.`,
    'Arabic': `بدأ الاجتماع بعد التاسعة بقليل. لم يكن أحد قد قرأ التقرير، لكن كان لكل واحد رأي فيه، وهكذا مضت الساعة الأولى دون
اتخاذ أي قرار. كانت مارثا، التي كتبت معظمه، تستمع بأدب وتدوّن الملاحظات. قالت أخيرًا: «يمكننا ببساطة أن نسأل العملاء».
ساد الصمت للحظة. يبدو أن الفكرة لم تخطر ببال أحد، مع أنها ذُكرت مرتين في الصفحة الأولى ومرة أخرى في الخلاصة.
خطأ: تعذر الاتصال بخادم قاعدة البيانات. يرجى التحقق من إعدادات الشبكة والمحاولة مرة أخرى.`,
    'Hebrew': `הישיבה התחילה קצת אחרי תשע. איש לא קרא את הדוח, אבל לכל אחד הייתה דעה עליו, וכך עברה השעה הראשונה בלי שום
החלטה. מרתה, שכתבה את רובו, הקשיבה בנימוס ורשמה הערות. "אפשר פשוט לשאול את הלקוחות", אמרה לבסוף.
שגיאה: לא ניתן להתחבר לשרת מסד הנתונים. בדוק את הגדרות הרשת ונסה שוב.`,
    'Hindi': `बैठक नौ बजे के थोड़ी देर बाद शुरू हुई। किसी ने भी रिपोर्ट नहीं पढ़ी थी, लेकिन सबकी उसके बारे में अपनी राय थी, और
इसलिए पहला घंटा बिना किसी निर्णय के बीत गया। मार्था, जिसने उसका अधिकांश भाग लिखा था, विनम्रता से सुनती रही और नोट्स लेती
रही। "हम सीधे ग्राहकों से पूछ सकते हैं," उसने आखिर में कहा। कुछ देर के लिए सन्नाटा छा गया।
त्रुटि: डेटाबेस सर्वर से कनेक्ट नहीं हो सका। कृपया नेटवर्क सेटिंग जांचें और फिर से प्रयास करें।`,
    'Bengali': `সভা নয়টার একটু পরে শুরু হয়েছিল। কেউ প্রতিবেদনটি পড়েনি, কিন্তু সবারই এ বিষয়ে মতামত ছিল, তাই প্রথম ঘণ্টা কোনো
সিদ্ধান্ত ছাড়াই কেটে গেল। মার্থা, যিনি এর বেশিরভাগ লিখেছিলেন, ভদ্রভাবে শুনলেন এবং নোট নিলেন।
ত্রুটি: ডাটাবেস সার্ভারের সাথে সংযোগ করা যায়নি।`,
    'Tamil': `கூட்டம் ஒன்பது மணிக்குப் பிறகு சிறிது நேரத்தில் தொடங்கியது. யாரும் அறிக்கையைப் படிக்கவில்லை, ஆனால் அனைவருக்கும்
அதைப் பற்றி ஒரு கருத்து இருந்தது. பிழை: தரவுத்தள சேவையகத்துடன் இணைக்க முடியவில்லை.`,
    'Thai': `การประชุมเริ่มขึ้นหลังเก้าโมงเล็กน้อย ไม่มีใครอ่านรายงาน แต่ทุกคนมีความเห็นเกี่ยวกับมัน ดังนั้นชั่วโมงแรกจึงผ่านไปโดยไม่มี
การตัดสินใจใด ๆ มาร์ธาซึ่งเป็นผู้เขียนรายงานส่วนใหญ่ ฟังอย่างสุภาพและจดบันทึก "เราถามลูกค้าโดยตรงก็ได้" ในที่สุดเธอก็พูดขึ้น
ข้อผิดพลาด: ไม่สามารถเชื่อมต่อกับเซิร์ฟเวอร์ฐานข้อมูลได้ โปรดตรวจสอบการตั้งค่าเครือข่ายแล้วลองอีกครั้ง`,
    'emoji': `Great release! 🎉🎉🚀 Thanks to everyone 🙏🏽❤️ — 👩‍💻👨‍👩‍👧‍👦 shipped it 😂😂🔥 ✅ tests 🧪 ✨ docs 📚 ⚠️ known bugs 🐛🐛
👍🏿👏🤔😅🥳💯 🇩🇪🇫🇷🇯🇵 see you next week 🌍☀️⛅🌧️ 🦀🐍☕`,
    'box drawing': `┌──────────┬───────┬─────────┐
│ name     │ count │ status  │
├──────────┼───────┼─────────┤
│ keyboard │    12 │ ✓ ready │
│ monitor  │     7 │ ✗ late  │
│ lamp     │   133 │ ✓ ready │
└──────────┴───────┴─────────┘
`.repeat(2),
};
