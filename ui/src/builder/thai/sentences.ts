/** What `GET /v1/node-types` says of steps and of their settings, by the sentence in English. */
export const sentences: Record<string, string> = {
    // Steps
    "Runs a statement that the owner of the database registered under a name, exactly once.":
        "รันคำสั่งที่เจ้าของฐานข้อมูลลงทะเบียนชื่อไว้ ครั้งเดียวเท่านั้น",
    "A model decides or writes. Each reply and each tool call is recorded before the next, so a crash repeats none.":
        "โมเดลตัดสินใจหรือเขียน ทุกคำตอบและทุกการเรียกเครื่องมือถูกบันทึกก่อนขั้นต่อไป จึงไม่ทำซ้ำแม้ระบบล่ม",
    "Starts a child run and waits for its result.": "เริ่มรันลูกและรอผลของมัน",
    "Withdraws the branches at other nodes of this run.": "ถอนเส้นทางที่อยู่ที่ขั้นตอนอื่นของรันนี้",
    "Calls the C++ function that is registered in the worker under this name.":
        "เรียกฟังก์ชัน C++ ที่ลงทะเบียนในเวิร์กเกอร์ด้วยชื่อนี้",
    "Leaves by the handle true or false. A query looks up the run's subject in a table.":
        "ออกทางจริงหรือเท็จ คำค้นหาจะดูบุคคลของรันในตาราง",
    "Publishes an event that starts or wakes other runs.": "ส่งเหตุการณ์ที่เริ่มหรือปลุกรันอื่น",
    "Ends this path; the run ends when no path is left.": "จบเส้นทางนี้ รันจะจบเมื่อไม่มีเส้นทางเหลือ",
    "Ends the whole run, once the steps under way have ended.": "จบทั้งรัน เมื่อขั้นตอนที่ทำอยู่จบแล้ว",
    "Runs the same steps for every item of a list.": "ทำขั้นตอนเดียวกันกับทุกรายการ",
    "Posts an action and a payload to a function below the functions URL.":
        "ส่งการกระทำและข้อมูลไปยังฟังก์ชันใต้ URL ของฟังก์ชัน",
    "Waits for the event that the workflow is for; who comes this far is counted.":
        "รอเหตุการณ์ที่เป็นเป้าหมายของเวิร์กโฟลว์ และนับผู้ที่มาถึงตรงนี้",
    "Calls any address. `api_call` is another word for it.": "เรียกที่อยู่ใดก็ได้ เรียกอีกอย่างว่า `api_call`",
    "A person decides, perhaps after editing.": "คนเป็นผู้ตัดสินใจ โดยอาจแก้ไขก่อน",
    "Brings branches together.": "รวมเส้นทางเข้าด้วยกัน",
    "Waits until no other branch is inside.": "รอจนไม่มีเส้นทางอื่นอยู่ข้างใน",
    "Repeats the path from the handle each.": "ทำเส้นทางจากทางออก “แต่ละรายการ” ซ้ำ",
    "Sends a message to the person that the run is about.": "ส่งข้อความถึงบุคคลของรัน",
    "Takes all outgoing edges at once.": "ไปทุกทางออกพร้อมกัน",
    "A group of nodes that fails, times out and is undone as one: the path from the handle body to its end. When a node in it gives up, the scope waits for the steps under way, undoes what it did, and fails with that error.":
        "กลุ่มของขั้นตอนที่ล้มเหลว หมดเวลา และถูกยกเลิกผลไปด้วยกัน คือเส้นทางจากทางออก “แต่ละรอบ” จนจบ เมื่อขั้นตอนข้างในยอมแพ้ ขอบเขตจะรอขั้นตอนที่ทำอยู่ ยกเลิกผลที่ทำไป แล้วล้มเหลวด้วยข้อผิดพลาดนั้น",
    "Leads each subject to one of several variants, always to the same one.":
        "พาแต่ละบุคคลไปแบบใดแบบหนึ่ง และเป็นแบบเดิมเสมอ",
    "Runs a statement in the engine's database, exactly once; the result is {rows, count}.":
        "รันคำสั่งในฐานข้อมูลของระบบ ครั้งเดียวเท่านั้น ผลลัพธ์คือ {rows, count}",
    "Leaves by the handle of the first case that matches.": "ออกทางของกรณีแรกที่ตรง",
    "Computes a value from others with a jq program; its first output is the result.":
        "คำนวณค่าจากค่าอื่นด้วยโปรแกรม jq ผลแรกคือผลลัพธ์",
    "The start of a drawn workflow.": "จุดเริ่มของเวิร์กโฟลว์ที่วาด",
    "Lets the next branch in.": "ให้เส้นทางถัดไปเข้ามา",
    "Waits for a while, until a time, or for an event. Meanwhile the run uses no memory.":
        "รอสักครู่ จนถึงเวลาหนึ่ง หรือรอเหตุการณ์ ระหว่างนั้นรันไม่ใช้หน่วยความจำ",

    // What all steps have
    "The name in templates and logs; id is the same": "ชื่อในเทมเพลตและบันทึก เหมือนกับ id",
    "The type; may be left out if another key implies it": "ประเภท เว้นได้ถ้าคีย์อื่นบอกอยู่แล้ว",
    "Time limit of one attempt, by default 1m (2s for a transform); for a wait, a human task or a group, of the whole":
        "เวลาจำกัดของการลองหนึ่งครั้ง ปกติ 1m (2s สำหรับแปลงข้อมูล) ส่วนการรอ งานของคน หรือกลุ่ม เป็นเวลาทั้งหมด",
    "What happens to the run when the step has given up": "รันจะเป็นอย่างไรเมื่อขั้นตอนยอมแพ้แล้ว",
    "How the step is retried; a list has a policy for each error":
        "วิธีลองขั้นตอนซ้ำ ถ้าเป็นรายการ จะมีวิธีสำหรับแต่ละข้อผิดพลาด",
    "The wait before the second attempt; doubles": "เวลารอก่อนลองครั้งที่สอง แล้วเพิ่มเป็นสองเท่า",
    "The longest wait": "เวลารอนานที่สุด",
    "How much a wait may vary, as a share of it": "เวลารอแปรปรวนได้เท่าใด เป็นสัดส่วนของเวลารอ",
    "What to do if it is unknown whether the peer acted": "ทำอย่างไรถ้าไม่รู้ว่าปลายทางทำไปแล้วหรือไม่",
    "Also retry permanent errors": "ลองซ้ำแม้เป็นข้อผิดพลาดถาวร",
    "The node that undoes this one": "ขั้นตอนที่ยกเลิกผลของขั้นตอนนี้",
    "Switched off; runs pass it by `default`, with the result null":
        "ปิดไว้ รันผ่านไปทางออก default ด้วยผลลัพธ์ null",

    // Actions, SQL and code
    "The name that pawl.register_action() was given": "ชื่อที่ให้กับ pawl.register_action()",
    "The values of the statement, by name; bound, never pasted":
        "ค่าของคำสั่งตามชื่อ ส่งแยกจากคำสั่งเสมอ ไม่ต่อเป็นข้อความ",
    "One statement; not a template": "คำสั่งเดียว ไม่ใช่เทมเพลต",
    "The values of $1, $2, ...": "ค่าของ $1, $2, ...",
    "Keep up to 100,000 rows for a foreach, which reads them page by page":
        "เก็บได้ถึง 100,000 แถวสำหรับการทำกับแต่ละรายการ ซึ่งอ่านทีละหน้า",
    "The name of the function": "ชื่อของฟังก์ชัน",
    "Input of the function; strings may contain templates": "ข้อมูลเข้าของฟังก์ชัน ข้อความใช้เทมเพลตได้",
    "The program; not a template": "โปรแกรม ไม่ใช่เทมเพลต",
    "Input of the program; by default everything that templates can see":
        "ข้อมูลเข้าของโปรแกรม ปกติคือทุกสิ่งที่เทมเพลตเห็น",

    // Agents
    "What the model is told to do": "สิ่งที่บอกให้โมเดลทำ",
    "What it is asked, apart from the instructions": "สิ่งที่ถาม นอกจากคำสั่ง",
    "Where a chat completion of the OpenAI form is asked for":
        "ที่อยู่สำหรับขอ chat completion แบบ OpenAI",
    "The credential that is sent as a bearer token": "ข้อมูลรับรองที่ส่งเป็น bearer token",
    "Headers of the request; strings may contain credentials": "ส่วนหัวของคำขอ ข้อความใช้ข้อมูลรับรองได้",
    "The model": "โมเดล",
    "Further keys of the request": "คีย์อื่นของคำขอ",
    "What it may see, as a list of paths or a map of templates; nothing else":
        "สิ่งที่เห็นได้ เป็นรายการของตำแหน่งหรือชุดของเทมเพลต นอกนั้นไม่เห็น",
    "JSON Schema of the answer; without one it is text": "JSON Schema ของคำตอบ ถ้าไม่มีจะเป็นข้อความ",
    "What the model chooses from; each is a handle": "สิ่งที่โมเดลเลือกได้ แต่ละอย่างเป็นทางออก",
    "What it may do": "สิ่งที่ทำได้",
    "How the model calls it; by default the name of the action": "ชื่อที่โมเดลเรียก ปกติคือชื่อของการกระทำ",
    "What the model is told about it": "สิ่งที่บอกโมเดลเกี่ยวกับเครื่องมือนี้",
    "JSON Schema of the arguments": "JSON Schema ของอาร์กิวเมนต์",
    "A registered action; the arguments are its params": "การกระทำที่ลงทะเบียน อาร์กิวเมนต์คือค่าของมัน",
    "A request; the arguments are its query (GET, DELETE) or its body":
        "คำขอ อาร์กิวเมนต์คือคิวรี (GET, DELETE) หรือเนื้อหา",
    'A query; "$name" in its params stands for an argument':
        'คำค้นหา "$name" ในค่าพารามิเตอร์หมายถึงอาร์กิวเมนต์',
    "How much it may use; calls of the model are 20 by default": "ใช้ได้เท่าใด ปกติเรียกโมเดลได้ 20 ครั้ง",
    "What a million tokens cost, for a budget of cost": "ราคาของหนึ่งล้านโทเคน สำหรับงบค่าใช้จ่าย",
    "A person looks at the answer first; true, or keys of a human step":
        "ให้คนดูคำตอบก่อน ใส่ true หรือการตั้งค่าของขั้นตอนถามคน",

    // Other workflows and events
    "The workflow to start": "เวิร์กโฟลว์ที่จะเริ่ม",
    "Version of the workflow, by number or label; it must be active":
        "รุ่นของเวิร์กโฟลว์ ตามเลขหรือป้าย ต้องใช้งานอยู่",
    "Input of the child; empty by default": "ข้อมูลเข้าของรันลูก ปกติว่าง",
    "Subject of the child": "บุคคลของรันลูก",
    "false: only start it": "false: เริ่มอย่างเดียว",
    "What happens to the child if this run stops before it. By default it is cancelled and undoes what it did; with `wait: false` it is left alone":
        "รันลูกจะเป็นอย่างไรถ้ารันนี้หยุดก่อน ปกติจะถูกยกเลิกและยกเลิกผลที่ทำไป ถ้าตั้ง `wait: false` จะปล่อยไว้",
    "The nodes whose branches are withdrawn": "ขั้นตอนที่เส้นทางจะถูกถอน",
    "Its name": "ชื่อของเหตุการณ์",
    "What or whom it is about": "เกี่ยวกับอะไรหรือใคร",
    "Data of the event": "ข้อมูลของเหตุการณ์",
    "Output of the run, if this path ends last": "ผลลัพธ์ของรัน ถ้าเส้นทางนี้จบท้ายสุด",
    "How the run ends": "รันจบอย่างไร",
    "Output of the run": "ผลลัพธ์ของรัน",
    "For people": "สำหรับคนอ่าน",

    // Branches and lists
    "Path of the value, like input.total": "ตำแหน่งของค่า เช่น input.total",
    "Another word for path": "อีกชื่อหนึ่งของตำแหน่ง",
    "The value to compare with": "ค่าที่ใช้เปรียบเทียบ",
    "A table that pawl.allow_condition_table() allowed":
        "ตารางที่ pawl.allow_condition_table() อนุญาต",
    "A column of the table": "คอลัมน์ของตาราง",
    "The column that holds the run's subject": "คอลัมน์ที่เก็บบุคคลของรัน",
    "A list, a template that gives one, or the rows of a sql step with stream":
        "รายการ เทมเพลตที่ให้รายการ หรือแถวของขั้นตอน SQL ที่ตั้ง stream",
    "How many items are under way at once; may be a template": "ทำพร้อมกันได้กี่รายการ ใช้เทมเพลตได้",
    "How many items may fail; may be a template": "ล้มเหลวได้กี่รายการ ใช้เทมเพลตได้",
    "Begin no more items once too many have failed": "ไม่เริ่มรายการใหม่เมื่อล้มเหลวมากเกินไป",
    "Start a child run for each item instead of taking the edge each":
        "เริ่มรันลูกสำหรับแต่ละรายการ แทนการไปทางออก “แต่ละรายการ”",
    "Version of that workflow, by number or label; it must be active":
        "รุ่นของเวิร์กโฟลว์นั้น ตามเลขหรือป้าย ต้องใช้งานอยู่",
    "Input of the child runs; by default the item itself": "ข้อมูลเข้าของรันลูก ปกติคือตัวรายการเอง",
    "What happens to the child runs if this run stops before them; by default cancel":
        "รันลูกจะเป็นอย่างไรถ้ารันนี้หยุดก่อน ปกติคือยกเลิก",
    "Time limit of all items together": "เวลาจำกัดของทุกรายการรวมกัน",
    "Undo what an item did before it failed": "ยกเลิกผลที่รายการทำไปก่อนล้มเหลว",
    "Which branches it waits for; chosen means all that were taken":
        "รอเส้นทางใด chosen หมายถึงทุกเส้นทางที่ถูกเลือก",
    "How many are enough, for mode count": "กี่เส้นทางจึงพอ เมื่อรอตามจำนวน",
    "Withdraw the branches that have not arrived": "ถอนเส้นทางที่ยังมาไม่ถึง",
    "With cancel_rest, undo what those branches have done":
        "เมื่อถอนส่วนที่เหลือ ให้ยกเลิกผลที่เส้นทางเหล่านั้นทำไป",
    "The critical section, for all runs of the tenant": "ส่วนที่ทำทีละรัน สำหรับทุกรันของผู้เช่า",
    "Repeats while this is true; checked before each round": "ทำซ้ำตราบที่เป็นจริง ตรวจก่อนแต่ละรอบ",
    "Repeats until this is true; checked after each round": "ทำซ้ำจนเป็นจริง ตรวจหลังแต่ละรอบ",
    "A number of rounds up to 1000, or a template that gives one":
        "จำนวนรอบไม่เกิน 1000 หรือเทมเพลตที่ให้จำนวน",
    "The step fails beyond this number of rounds": "ขั้นตอนล้มเหลวเมื่อเกินจำนวนรอบนี้",
    "Time limit of the whole scope": "เวลาจำกัดของทั้งขอบเขต",
    "The variants; each is a handle": "แบบต่าง ๆ แต่ละแบบเป็นทางออก",
    "The name and the handle of the variant": "ชื่อและทางออกของแบบ",
    "Its share of the sum of all shares": "ส่วนแบ่งจากผลรวมทั้งหมด",
    "The value to compare with the cases; without it each case has a condition":
        "ค่าที่เทียบกับกรณีต่าง ๆ ถ้าไม่มี แต่ละกรณีจะมีเงื่อนไข",
    "The first that matches gives the handle; if none does, it is default":
        "กรณีแรกที่ตรงเป็นทางออก ถ้าไม่มีคือ default",
    "The condition of this case": "เงื่อนไขของกรณีนี้",
    "The value of this case": "ค่าของกรณีนี้",
    "The handle of this case": "ทางออกของกรณีนี้",

    // Functions and requests
    "The name below the functions URL; not a template": "ชื่อใต้ URL ของฟังก์ชัน ไม่ใช่เทมเพลต",
    "The functions host, as named in the configuration": "โฮสต์ของฟังก์ชันตามชื่อในการกำหนดค่า",
    "The action to perform": "การกระทำที่จะทำ",
    "Data of the action; strings may contain templates": "ข้อมูลของการกระทำ ข้อความใช้เทมเพลตได้",
    "Another name for payload": "อีกชื่อหนึ่งของ payload",
    "Replaces the functions URL": "ใช้แทน URL ของฟังก์ชัน",
    "Headers of the request; strings may contain templates": "ส่วนหัวของคำขอ ข้อความใช้เทมเพลตได้",
    "The peer may answer 202 and call back later": "ปลายทางตอบ 202 แล้วแจ้งกลับภายหลังได้",
    "How often a peer that will call back must report that it is still working":
        "ปลายทางที่จะแจ้งกลับต้องรายงานว่ายังทำอยู่บ่อยเท่าใด",
    "The address; data in it is percent-encoded": "ที่อยู่ ข้อมูลในนั้นเข้ารหัสแบบเปอร์เซ็นต์",
    "The HTTP method": "เมธอดของ HTTP",
    "Sent as JSON; strings may contain templates": "ส่งเป็น JSON ข้อความใช้เทมเพลตได้",
    "Statuses that count as success, instead of 2xx": "สถานะที่ถือว่าสำเร็จ แทน 2xx",
    "Follow up to five; credentials are not sent to another origin":
        "ตามได้ไม่เกินห้าครั้ง ไม่ส่งข้อมูลรับรองไปยังที่อื่น",

    // People
    "What the person is asked": "คำถามสำหรับคน",
    "A longer text": "ข้อความที่ยาวกว่า",
    "What the person sees and may edit": "สิ่งที่คนเห็นและแก้ไขได้",
    "JSON Schema of the data": "JSON Schema ของข้อมูล",
    "The person who decides": "ผู้ตัดสินใจ",
    "A label to list tasks by; any person may decide": "ป้ายสำหรับกรองงาน ใครตัดสินใจก็ได้",
    "The people who are asked, with one vote each; a template may give the list":
        "คนที่ถูกถาม มีเสียงคนละหนึ่ง ใช้เทมเพลตให้รายชื่อได้",
    "How many of the approvers must say yes": "ผู้อนุมัติต้องเห็นชอบกี่คน",
    "How many of the approvers must say no": "ผู้อนุมัติต้องปฏิเสธกี่คน",
    "People who may not decide, such as the requester": "คนที่ตัดสินใจไม่ได้ เช่น ผู้ขอ",
    "Time limit; then the node leaves by timeout": "เวลาจำกัด จากนั้นออกทาง “หมดเวลา”",
    "When the event pawl.task.reminded is published": "เมื่อใดจึงส่งเหตุการณ์ pawl.task.reminded",
    "When escalate_to becomes the assignee": "เมื่อใดจึงส่งต่อให้ผู้รับผิดชอบคนถัดไป",
    "The person who decides then": "ผู้ตัดสินใจหลังจากนั้น",
    "The people to escalate to, each some time after the task was opened":
        "คนที่จะส่งต่อ แต่ละคนหลังจากงานเปิดไปช่วงหนึ่ง",
    "How long after the task was opened": "หลังจากงานเปิดไปนานเท่าใด",

    // Messages
    "How it is sent": "ส่งทางใด",
    "By default the one that the tenant has an account of for this channel":
        "ปกติคือตัวที่ผู้เช่ามีบัญชีสำหรับช่องทางนี้",
    "The account of the connector; by default its only or default one":
        "บัญชีของตัวเชื่อมต่อ ปกติคือบัญชีเดียวหรือบัญชีหลัก",
    "A message template; replaces a content of its own": "เทมเพลตข้อความ ใช้แทนเนื้อหาที่เขียนเอง",
    "Values that the template sees as with": "ค่าที่เทมเพลตเห็นในชื่อ with",
    "Plain text": "ข้อความธรรมดา",
    "Subject of an email": "หัวเรื่องของอีเมล",
    "HTML of an email; data in it is escaped": "HTML ของอีเมล ข้อมูลในนั้นถูกแปลงให้ปลอดภัย",
    "Messages of LINE, from 1 to 5": "ข้อความ LINE ตั้งแต่ 1 ถึง 5",
    "Title of a push message": "ชื่อเรื่องของข้อความพุช",
    "Text of a push message, or the body of a webhook": "ข้อความของพุช หรือเนื้อหาของเว็บฮุก",
    "Data of a push message": "ข้อมูลของข้อความพุช",
    "Transactional messages reach people who have unsubscribed": "ข้อความธุรกรรมถึงคนที่ยกเลิกรับแล้วด้วย",
    "Whether clicks and opens are noted; by default those of email and line that are not transactional":
        "บันทึกการคลิกและการเปิดหรือไม่ ปกติบันทึกของอีเมลและ LINE ที่ไม่ใช่ธุรกรรม",
    "The address; by default the person's address for this channel": "ที่อยู่ ปกติคือที่อยู่ของบุคคลในช่องทางนี้",

    // Waiting
    "A duration like `10s` or `2d`, or a template, or one of the forms below":
        "ระยะเวลาเช่น `10s` หรือ `2d` หรือเทมเพลต หรือรูปแบบข้างล่าง",
    "A duration": "ระยะเวลา",
    "A point in time; or the next such time of the day where the person is":
        "จุดหนึ่งของเวลา หรือเวลานั้นครั้งถัดไปในที่ที่บุคคลอยู่",
    "The next such time in the zone": "เวลานั้นครั้งถัดไปในเขตเวลา",
    "The days to consider": "วันที่นับ",
    "The time zone": "เขตเวลา",
    "A date from the data": "วันที่จากข้อมูล",
    "Before or after the date": "ก่อนหรือหลังวันที่",
    "The event": "เหตุการณ์",
    "The event to wait for": "เหตุการณ์ที่รอ",
    "Key of the event; by default the subject of the run": "คีย์ของเหตุการณ์ ปกติคือบุคคลของรัน",
    "A condition on the event": "เงื่อนไขของเหตุการณ์",
    "How long it waits; then the node leaves by timeout": "รอนานเท่าใด จากนั้นออกทาง “หมดเวลา”",
    "Several events": "เหตุการณ์หลายอย่าง",
    "Its key; by default the subject of the run": "คีย์ของมัน ปกติคือบุคคลของรัน",
    "The handle to leave by when it arrives": "ทางออกเมื่อเหตุการณ์มาถึง",
    "Whether to wait for one of the events or for all": "รอเหตุการณ์อย่างใดอย่างหนึ่งหรือทั้งหมด",
    "The signal to wait for": "สัญญาณที่รอ",
    "Time limit for an event or a signal; then the node leaves by timeout":
        "เวลาจำกัดของเหตุการณ์หรือสัญญาณ จากนั้นออกทาง “หมดเวลา”",
};
