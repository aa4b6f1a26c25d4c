"""Calls the sandbox as a user of the Python SDK does. One line of JSON for each call: its name, and what came of it."""

import json
import sys
import urllib.request

from opentok import MediaModes, OpenTok, OutputModes, StreamModes
from opentok.broadcast import BroadcastStreamModes

url, key, secret, control_token = sys.argv[1:]
opentok = OpenTok(key, secret, api_url=url)


def call(name, act):
    try:
        value = act()
    except Exception as error:  # every failure is a line
        print(json.dumps({"call": name, "error": f"{type(error).__name__}: {error}"}))
        return None
    print(json.dumps({"call": name, "value": value if isinstance(value, (str, int, list, dict, type(None))) else ""}))
    return value


def join(session_id):
    request = urllib.request.Request(
        f"{url}/sandbox/sessions/{session_id}/participants",
        data=b'{"name":"Ada"}',
        headers={"authorization": f"Bearer {control_token}"},
    )
    return json.load(urllib.request.urlopen(request))


session = opentok.create_session(media_mode=MediaModes.routed).session_id
guest = join(session)
stream, connection = guest["streamId"], guest["connectionId"]
classes = [{"id": stream, "layoutClassList": ["focus"]}]
signal = {"type": "chat", "data": "hello"}

call("send_signal", lambda: opentok.send_signal(session, signal))
call("send_signal to one", lambda: opentok.send_signal(session, signal, connection))
call("get_stream", lambda: opentok.get_stream(session, stream).name)
call("list_streams", lambda: opentok.list_streams(session).count)
call("set_stream_class_lists", lambda: opentok.set_stream_class_lists(session, classes))
call("mute_all", lambda: opentok.mute_all(session, [stream]))
call("mute_stream", lambda: opentok.mute_stream(session, stream))
call("disable_force_mute", lambda: opentok.disable_force_mute(session))

archive = call("start_archive", lambda: opentok.start_archive(session, name="program").id)
call("get_archive", lambda: opentok.get_archive(archive).partner_id)
call("list_archives", lambda: opentok.list_archives(session_id=session).count)
call("set_archive_layout", lambda: opentok.set_archive_layout(archive, "pip"))
call("stop_archive", lambda: opentok.stop_archive(archive).status)
chosen = call("start_archive manual", lambda: opentok.start_archive(session, stream_mode=StreamModes.manual).id)
call("add_archive_stream", lambda: opentok.add_archive_stream(chosen, stream, has_video=False))
call("remove_archive_stream", lambda: opentok.remove_archive_stream(chosen, stream))
call("stop_archive manual", lambda: opentok.stop_archive(chosen).status)
single = call("start_archive individual", lambda: opentok.start_archive(session, output_mode=OutputModes.individual).id)
call("stop_archive individual", lambda: opentok.stop_archive(single).status)

live = {"outputs": {"hls": {}, "rtmp": [{"id": "one", "serverUrl": "rtmp://127.0.0.1:9/live", "streamName": "a"}]}}
broadcast = call("start_broadcast", lambda: opentok.start_broadcast(session, live, BroadcastStreamModes.manual).id)
call("get_broadcast", lambda: opentok.get_broadcast(broadcast).broadcastUrls["rtmp"]["one"]["status"])
call("set_broadcast_layout", lambda: opentok.set_broadcast_layout(broadcast, "verticalPresentation"))
call("add_broadcast_stream", lambda: opentok.add_broadcast_stream(broadcast, stream))
call("remove_broadcast_stream", lambda: opentok.remove_broadcast_stream(broadcast, stream))
call("stop_broadcast", lambda: opentok.stop_broadcast(broadcast).status)

token = opentok.generate_token(session)
legacy = opentok.generate_token(session, use_jwt=False)
dialled = call("dial", lambda: opentok.dial(session, token, "sip:answer@example.com").id)
call("dial with a T1 token", lambda: opentok.dial(session, legacy, "sip:answer@example.com", {"from": "1@example.com"}).id)
call("play_dtmf", lambda: opentok.play_dtmf(session, None, "1p#").status_code)
page = "https://scenes.example.com/lower-third"
render = call("start_render", lambda: opentok.start_render(session, token, page, properties={"name": "Scene"}).id)
call("start_render with a T1 token", lambda: opentok.start_render(session, legacy, page).id)
call("get_render", lambda: opentok.get_render(render).projectId)
call("list_renders", lambda: opentok.list_renders().count)
call("stop_render", lambda: opentok.stop_render(render).status_code)
call("force_disconnect", lambda: opentok.force_disconnect(session, connection))
