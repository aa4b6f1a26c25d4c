"""Subscribes to a stream by WHEP with aiortc, and writes what it decodes: pictures (yuv420p) and audio (s16le, mono)."""

import asyncio
import sys
import urllib.request

from aiortc import RTCPeerConnection, RTCSessionDescription
from av import AudioResampler


async def main(address, token, count, pictures_path, audio_path):
    peer = RTCPeerConnection()
    peer.addTransceiver("video", direction="recvonly")
    peer.addTransceiver("audio", direction="recvonly")
    tracks = {}
    peer.on("track", lambda track: tracks.update({track.kind: track}))
    await peer.setLocalDescription(await peer.createOffer())
    headers = {"authorization": "Bearer " + token, "content-type": "application/sdp"}
    body = peer.localDescription.sdp.encode()
    request = urllib.request.Request(address, body, headers, method="POST")
    answer = await asyncio.to_thread(lambda: urllib.request.urlopen(request).read().decode())
    await peer.setRemoteDescription(RTCSessionDescription(answer, "answer"))

    async def write_audio():
        resampler = AudioResampler(format="s16", layout="mono", rate=48000)
        with open(audio_path, "wb") as file:
            while True:
                for frame in resampler.resample(await tracks["audio"].recv()):
                    file.write(bytes(frame.planes[0])[: 2 * frame.samples])

    writing = asyncio.ensure_future(write_audio())
    with open(pictures_path, "wb") as file:
        for _ in range(count):
            frame = (await tracks["video"].recv()).reformat(format="yuv420p")
            for plane in frame.planes:
                for row in range(plane.height):  # rows of a plane may be padded
                    start = row * plane.line_size
                    file.write(memoryview(plane)[start : start + plane.width])
    writing.cancel()
    await peer.close()


address, token, count, pictures_path, audio_path = sys.argv[1:]
asyncio.run(main(address, token, int(count), pictures_path, audio_path))
